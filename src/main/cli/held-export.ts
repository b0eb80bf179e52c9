import type { Command } from 'commander';

import type { HeldView } from '#shared/model/views.ts';
import { HeldReason } from '#shared/model/vocabulary.ts';
import { ok, type Result } from '#shared/result.ts';
import { done, notUnderstood, type CommandFailure } from './command-answer.ts';
import { readSelection, type SelectionOptions } from './held-selection-options.ts';
import { withDesk } from './open-desk.ts';
import type { HeldWish, ReplicaDesk } from './replica-desk.ts';
import type { Run } from './subcommand.ts';

interface ExportOptions extends SelectionOptions {
  readonly json?: boolean;
}

/** Changes that are read at once. */
const PAGE = 1_000;

/** `concord held export REPLICA`: all that is held as one JSON document, values exact to the byte. */
export function addHeldExport(held: Command, run: Run): void {
  held
    .command('export')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('print held changes as JSON, every value exact; nothing is changed')
    .option('--table <name>', 'only those for this table')
    .option('--reason <reason>', HeldReason.options.join(', '))
    .option('--id <id...>', 'only these')
    .option('--json', 'as without it: the export is one JSON document')
    .action(async (replica: string, options: ExportOptions) => {
      await run(options, async (context) => {
        const selection = readSelection(options);
        if (!selection.ok) return selection;
        const { ids, table, reason } = selection.value;
        const wish = { ...(table !== undefined && { table }), ...(reason !== undefined && { reason }) };
        if (ids !== undefined && ids.length > PAGE)
          return notUnderstood(`--id takes up to ${String(PAGE)} numbers.`);
        return withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
          const changes = await readAll(desk, wish);
          if (!changes.ok) return changes;
          const document = {
            format: 'concord-held',
            version: 1,
            replica: name,
            exportedAtMs: context.ports.clock.nowMs(),
            changes: changes.value.filter(({ id }) => ids?.includes(id) !== false),
          };
          return done(document, JSON.stringify(document, null, 2));
        });
      });
    });
}

async function readAll(
  desk: ReplicaDesk,
  wish: Omit<HeldWish, 'before' | 'limit'>,
): Promise<Result<readonly HeldView[], CommandFailure>> {
  const all: HeldView[] = [];
  for (;;) {
    const last = all.at(-1)?.id;
    const page = await desk.held({ ...wish, limit: PAGE, ...(last !== undefined && { before: last }) });
    if (!page.ok) return page;
    all.push(...page.value.items);
    if (page.value.items.length < PAGE) return ok(all);
  }
}
