import type { Command } from 'commander';
import { z } from 'zod';

import { JsonSqlValue } from '#shared/model/sql-value.ts';
import { done, notUnderstood } from './command-answer.ts';
import { withDesk } from './open-desk.ts';
import type { Run } from './subcommand.ts';

interface EditOptions {
  readonly id: string;
  readonly values: string;
  readonly because?: string;
  readonly json?: boolean;
}

const Values = z.record(z.string(), JsonSqlValue);

/** `concord held edit REPLICA --id N --values JSON`: writes a held row with other values. */
export function addHeldEdit(held: Command, run: Run): void {
  held
    .command('edit')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('write a held row with other values, as an edit that knew of it: it travels to the peers')
    .requiredOption('--id <n>', 'which one; `concord held REPLICA` shows the numbers')
    .requiredOption(
      '--values <json>',
      'other values by column, as `concord held export` prints them: {"sku": "A-7"}',
    )
    .option('--because <reason>', 'why; it goes into the decision journal')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: EditOptions) => {
      await run(options, async (context) => {
        const id = Number(options.id);
        if (!Number.isSafeInteger(id) || id < 1)
          return notUnderstood('--id takes a number that `concord held REPLICA` shows.');
        const values = readValues(options.values);
        if (values === null)
          return notUnderstood(
            '--values is a JSON object of at least one column: {"sku": "A-7", "picture": {"blob": "00ff"}}.',
          );
        return withDesk(context, { replica, as: 'acts' }, async ({ desk }) => {
          const edited = await desk.editHeld({ id, values, because: options.because?.trim() ?? '' });
          return edited.ok ? done(edited.value, edited.value.detail) : edited;
        });
      });
    });
}

/** Null where it is no object of values, or an empty one. */
function readValues(text: string): z.infer<typeof Values> | null {
  const parsed = Values.safeParse(parseJson(text));
  return parsed.success && Object.keys(parsed.data).length > 0 ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
