import { done, notUnderstood } from './command-answer.ts';
import { countWords } from './count-words.ts';
import { withDesk } from './open-desk.ts';
import type { AddSubcommand } from './subcommand.ts';

interface NewSiteOptions {
  readonly because?: string;
  readonly json?: boolean;
}

/** `concord new-site REPLICA --because "..."`: a restored or copied file goes on as another replica. */
export const addNewSiteCommand: AddSubcommand = (program, run) => {
  program
    .command('new-site')
    .argument('<replica>', 'the restored or copied file: path, name of the fleet, or beginning of a site ID')
    .description('take a restored or copied file on as a new replica, with its rows and what it wrote since')
    .option('--because <reason>', 'why; it goes into the decision journal')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: NewSiteOptions) => {
      await run(options, async (context) => {
        const because = options.because?.trim() ?? '';
        if (because === '')
          return notUnderstood('Say why with --because "...": it goes into the decision journal.');
        return withDesk(context, { replica, as: 'acts' }, async ({ desk, name }) => {
          const renewed = await desk.newSite(because);
          if (!renewed.ok) return renewed;
          const { site, siteBefore, taken } = renewed.value;
          return done(
            renewed.value,
            `${name} is a replica of its own now: ${site}, before ${siteBefore}. ` +
              `All its rows stay; ${countWords(taken, 'entry', 'entries')} that it wrote since it parted are under the new name. ` +
              `Sync it: it is compared with each peer once from the start.`,
          );
        });
      });
    });
};
