import type { BlockedView } from '#shared/model/views.ts';
import { done, saysNo, type CommandResult } from './command-answer.ts';
import { countWords, timeWords } from './count-words.ts';
import { withDesk } from './open-desk.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

/** `concord blocked REPLICA`: what waits for a decision, with both definitions. */
export const addBlockedCommand: AddSubcommand = (program, run) => {
  program
    .command('blocked')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('show what is blocked and what can be done about it; exit status 1 when something is')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: { readonly json?: boolean }) => {
      await run(options, async (context) =>
        withDesk(context, { replica, writes: false }, async ({ desk, name }) => {
          const blocked = await desk.blocked();
          return blocked.ok
            ? answerOf(blocked.value, { name, replica, nowMs: context.ports.clock.nowMs() })
            : blocked;
        }),
      );
    });
};

interface Told {
  readonly name: string;
  /** As the user wrote it, for the next command. */
  readonly replica: string;
  readonly nowMs: number;
}

function answerOf(blocked: readonly BlockedView[], told: Told): CommandResult {
  if (blocked.length === 0) return done(blocked, `Nothing is blocked on ${told.name}.`);
  return saysNo(blocked, blocked.map((batch) => batchText(batch, told)).join('\n\n'));
}

function batchText(batch: BlockedView, told: Told): string {
  const parts = [
    batch.message,
    `From ${batch.from}, since ${timeWords(batch.sinceMs, told.nowMs)}: tried ${countWords(batch.attempts, 'time')}, ` +
      `next ${timeWords(batch.nextTryMs, told.nowMs)}; ${countWords(batch.behindChanges, 'change')} behind it. Conflict ${batch.conflictId}.`,
    ...definitions(batch),
    ...differences(batch),
    nextStep(batch, told),
  ];
  return parts.join('\n\n');
}

function definitions({ localDdl, remoteDdl }: BlockedView): readonly string[] {
  if (localDdl === '' && remoteDdl === '') return [];
  return [`Here:\n${indent(localDdl)}`, `Coming in:\n${indent(remoteDdl)}`];
}

function differences(batch: BlockedView): readonly string[] {
  if (batch.differences.length === 0) return [];
  const columns = ['What differs', 'Kind', 'Here', 'Coming in'].map((title) => ({ title }));
  const rows = batch.differences.map(({ kind, subject, local, remote }) => [
    subject,
    kind,
    local ?? '–',
    remote ?? '–',
  ]);
  return [textTable(columns, rows)];
}

function nextStep(batch: BlockedView, { replica }: Told): string {
  const options = batch.options.join(', ');
  return `Decide with one of ${options}:\n  concord resolve ${replica} ${batch.object} --with ${batch.options[0] ?? 'retry'} --because "..."`;
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
