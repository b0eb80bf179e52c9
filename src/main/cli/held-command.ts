import type { Command } from 'commander';

import { HeldReason } from '#shared/model/vocabulary.ts';
import type { HeldView } from '#shared/model/views.ts';
import { done, notUnderstood, type CommandResult } from './command-answer.ts';
import { countWords, timeWords } from './count-words.ts';
import { addHeldActions } from './held-actions.ts';
import { addHeldEdit } from './held-edit.ts';
import { addHeldExport } from './held-export.ts';
import { withDesk } from './open-desk.ts';
import { readPage, type PageOptions } from './page-options.ts';
import type { HeldList } from './replica-desk.ts';
import type { AddSubcommand, Run } from './subcommand.ts';
import { textTable } from './text-table.ts';

interface HeldOptions extends PageOptions {
  readonly table?: string;
  readonly reason?: string;
}

/** `concord held REPLICA`: what waits there for a place; `concord held drain|quarantine|release|edit|export|delete REPLICA`. */
export const addHeldCommand: AddSubcommand = (program, run) => {
  const held = program
    .command('held')
    .description('list the changes that have no place yet, and see to them');
  addList(held, run);
  addHeldActions(held, run);
  addHeldEdit(held, run);
  addHeldExport(held, run);
};

function addList(held: Command, run: Run): void {
  held
    .command('list', { isDefault: true })
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('list the changes that have no place yet, with their reason')
    .option('--table <name>', 'only those for this table')
    .option('--reason <reason>', HeldReason.options.join(', '))
    .option('--limit <n>', 'at most so many', '50')
    .option('--before <id>', 'only those held before this one')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: HeldOptions) => {
      await run(options, async (context) => {
        const page = readPage(options);
        if (page === null)
          return notUnderstood('--limit and --before are whole numbers above 0, --limit up to 1,000.');
        const reason = HeldReason.optional().safeParse(options.reason);
        if (!reason.success) {
          return notUnderstood(
            `"${options.reason ?? ''}" is no reason: choose ${HeldReason.options.join(', ')}.`,
          );
        }
        const wish = {
          ...page,
          ...(options.table !== undefined && { table: options.table }),
          ...(reason.data !== undefined && { reason: reason.data }),
        };
        return withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
          const held = await desk.held(wish);
          return held.ok ? answerOf(held.value, { name, nowMs: context.ports.clock.nowMs() }) : held;
        });
      });
    });
}

function answerOf(
  held: HeldList,
  { name, nowMs }: { readonly name: string; readonly nowMs: number },
): CommandResult {
  const total = held.counts.reduce((sum, { rows }) => sum + rows, 0);
  if (total === 0 && held.items.length === 0) {
    return done(held, `Nothing is held on ${name}. Changes without a place would wait here.`);
  }
  const counts = textTable(
    [{ title: 'Table' }, { title: 'Reason' }, { title: 'Rows', isNumber: true }],
    held.counts.map(({ table, reason, rows }) => [table, reason, rows.toLocaleString('en-US')]),
  );
  const items = textTable(
    [
      { title: 'ID', isNumber: true },
      ...['Table', 'Reason', 'Key', 'Change', 'Values', 'Since'].map((title) => ({ title })),
    ],
    held.items.map((item) => itemRow(item, nowMs)),
  );
  const sentence = `${countWords(total, 'row')} ${total === 1 ? 'is' : 'are'} held on ${name}. They go in by themselves when they fit.`;
  return done(held, [sentence, counts, ...(held.items.length === 0 ? [] : [items])].join('\n\n'));
}

function itemRow(item: HeldView, nowMs: number): readonly string[] {
  return [
    String(item.id),
    item.table,
    item.quarantined ? `${item.reason}, quarantined` : item.reason,
    item.key.map((part) => JSON.stringify(part)).join(', '),
    item.op,
    shorten(JSON.stringify(item.values)),
    timeWords(item.sinceMs, nowMs),
  ];
}

const VALUES_CHARS_MAX = 60;

const shorten = (text: string): string =>
  text.length > VALUES_CHARS_MAX ? `${text.slice(0, VALUES_CHARS_MAX - 1)}…` : text;
