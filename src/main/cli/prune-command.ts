import { done, notUnderstood } from './command-answer.ts';
import { countWords } from './count-words.ts';
import { withDesk } from './open-desk.ts';
import type { AddSubcommand } from './subcommand.ts';

interface PruneOptions {
  readonly olderThan?: string;
  readonly json?: boolean;
}

const AGE = /^(\d{1,6})(h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** `concord prune REPLICA --older-than 31d`: lets go of old deletions and history. */
export const addPruneCommand: AddSubcommand = (program, run) => {
  program
    .command('prune')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description(
      'let go of old deletions, history and held changes; who has not heard of a deletion that goes is too old',
    )
    .option('--older-than <age>', 'such as 31d or 12h; what the settings keep else')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: PruneOptions) => {
      await run(options, async (context) => {
        const age = options.olderThan === undefined ? null : AGE.exec(options.olderThan);
        if (options.olderThan !== undefined && age === null)
          return notUnderstood(`"${options.olderThan}" is no age: write hours or days, such as 12h or 31d.`);
        const request = age === null ? {} : { olderThanMs: Number(age[1]) * (UNIT_MS[age[2] ?? ''] ?? 0) };
        return withDesk(context, { replica, as: 'acts' }, async ({ desk, name }) => {
          const pruned = await desk.prune(request);
          if (!pruned.ok) return pruned;
          const { tombstones, logEntries, history, held } = pruned.value;
          return done(
            pruned.value,
            `Pruned ${name}: ${countWords(tombstones, 'deletion')}, ${countWords(logEntries, 'log entry', 'log entries')}, ${countWords(history, 'entry', 'entries')} of the history, ${countWords(held, 'held change')}.`,
          );
        });
      });
    });
};
