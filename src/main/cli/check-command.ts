import { done, saysNo } from './command-answer.ts';
import { countWords } from './count-words.ts';
import { withDesk } from './open-desk.ts';
import type { AddSubcommand } from './subcommand.ts';

/** `concord check REPLICA`: whether its bookkeeping agrees with itself and with its tables. */
export const addCheckCommand: AddSubcommand = (program, run) => {
  program
    .command('check')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('check all bookkeeping of a replica against itself and its tables; reads every row')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: { readonly json?: boolean }) => {
      await run(options, async (context) =>
        withDesk(context, { replica, as: 'acts' }, async ({ desk, name }) => {
          const checked = await desk.check();
          if (!checked.ok) return checked;
          const problems = checked.value;
          if (problems.length === 0) return done({ problems }, `${name} is sound.`);
          const heading = `${name} has ${countWords(problems.length, 'problem')}:`;
          return saysNo({ problems }, [heading, ...problems.map((problem) => `  ${problem}`)].join('\n'));
        }),
      );
    });
};
