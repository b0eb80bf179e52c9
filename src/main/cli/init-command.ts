import { resolve } from 'node:path';

import { initReplica } from '../replica/init-replica.ts';
import { done, refuse } from './command-answer.ts';
import { commandHost } from './open-replica-file.ts';
import type { AddSubcommand } from './subcommand.ts';

/** `concord init FILE`: makes a new, empty replica. */
export const addInitCommand: AddSubcommand = (program, run) => {
  program
    .command('init')
    .argument('<file>', 'where no file is yet, or an empty one')
    .description('make a new, empty replica')
    .option('--json', 'one JSON document')
    .action(async (file: string, options: { readonly json?: boolean }) => {
      await run(options, async (context) => {
        const path = resolve(context.cwd, file);
        const made = initReplica({ path, ports: context.ports, host: commandHost(context) });
        if (!made.ok) return refuse(made.error.code, made.error.message);
        const { site } = made.value.identity();
        made.value.close();
        return Promise.resolve(done({ path, site }, `Made the replica ${file}. Its site ID is ${site}.`));
      });
    });
};
