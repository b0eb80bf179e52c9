import { resolve } from 'node:path';

import { makeExampleFleet, type ExampleFleet } from '../example/make-example-fleet.ts';
import { exampleFolder } from '../platform/data-folder.ts';
import { done, refuse, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { registerReplicas } from './register-replicas.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

/** `concord example [DIR]`: five replicas to try everything on. */
export const addExampleCommand: AddSubcommand = (program, run) => {
  program
    .command('example')
    .argument('[dir]', 'a folder that is not there yet, or empty')
    .description('make the example fleet: five replicas of a small chain of shops, three of them blocked')
    .option('--json', 'one JSON document')
    .action(async (dir: string | undefined, options: { readonly json?: boolean }) => {
      await run(options, async (context) => makeExample(context, dir));
    });
};

async function makeExample(context: CommandContext, dir: string | undefined): Promise<CommandResult> {
  const { cwd, dataDir, surroundings, ports } = context;
  const folder = dir === undefined ? exampleFolder(dataDir, surroundings) : resolve(cwd, dir);
  const made = await makeExampleFleet({ folder, nowMs: ports.clock.nowMs(), hash: ports.hash });
  if (!made.ok) {
    return made.error.code === 'example-exists'
      ? refuse(
          made.error.code,
          `${folder} is not empty: name another folder, or open the files that are there.`,
        )
      : refuse(made.error.code, `${folder} cannot be made: name a folder that you may write.`);
  }
  registerReplicas(context, made.value.replicas, made.value.links);
  return done(made.value, fleetText(made.value));
}

function fleetText({ folder, replicas, links, rows }: ExampleFleet): string {
  const columns = ['Replica', 'Group', 'File'].map((title) => ({ title }));
  return [
    `Made five replicas with ${rows.toLocaleString('en-US')} rows in ${folder}.`,
    textTable(
      columns,
      replicas.map(({ name, group, path }) => [name, group, path]),
    ),
    `Linked: ${links.map(({ a, b }) => `${a}–${b}`).join(', ')}.`,
    'hq, harbour and market are blocked on orders, which was made twice while the line was down. Look, then decide:\n  concord blocked harbour',
  ].join('\n\n');
}
