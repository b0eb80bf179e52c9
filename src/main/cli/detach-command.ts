import { detachReplica } from '../replica/detach-replica.ts';
import { done, refuse } from './command-answer.ts';
import { findReplica } from './find-replica.ts';
import { commandHost } from './open-replica-file.ts';
import type { AddSubcommand } from './subcommand.ts';

/** `concord detach REPLICA`: takes every trace of Concord out of a file. */
export const addDetachCommand: AddSubcommand = (program, run) => {
  program
    .command('detach')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description(
      "take every trace of Concord out of a replica's file; the application's database stays as it is",
    )
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: { readonly json?: boolean }) => {
      await run(options, async (context) => {
        const found = findReplica(context, replica);
        if (!found.ok) return found;
        const { path, name } = found.value;
        const detached = detachReplica({ path, ports: context.ports, host: commandHost(context) });
        if (!detached.ok) return refuse(detached.error.code, detached.error.message);
        const { journalMode } = detached.value;
        return Promise.resolve(
          done(
            { path, journalMode },
            `Detached ${name}: it is a plain database again, with journal mode ${journalMode}.`,
          ),
        );
      });
    });
};
