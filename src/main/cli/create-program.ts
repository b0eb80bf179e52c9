import { Command } from 'commander';

import type { CommandContext } from './command-context.ts';
import type { ExitStatus } from './command-answer.ts';
import { runCommand } from './run-command.ts';
import { addAttachCommand } from './attach-command.ts';
import { addBlockedCommand } from './blocked-command.ts';
import { addCheckCommand } from './check-command.ts';
import { addCatalogCommand } from './catalog-command.ts';
import { addDetachCommand } from './detach-command.ts';
import { addDiffCommand } from './diff-command.ts';
import { addExampleCommand } from './example-command.ts';
import { addExecCommand } from './exec-command.ts';
import { addHeldCommand } from './held-command.ts';
import { addInitCommand } from './init-command.ts';
import { addMigrationsCommand } from './migrations-command.ts';
import { addNewSiteCommand } from './new-site-command.ts';
import { addPruneCommand } from './prune-command.ts';
import { addRehearseCommand } from './rehearse-command.ts';
import { addResolveCommand } from './resolve-command.ts';
import { addScenarioCommand } from './scenario-command.ts';
import { addServeCommand } from './serve-command.ts';
import { addStatusCommand } from './status-command.ts';
import { addSyncCommand } from './sync-command.ts';
import { addTokenCommand } from './token-command.ts';
import type { AddSubcommand, Run } from './subcommand.ts';

const SUBCOMMANDS: readonly AddSubcommand[] = [
  addServeCommand,
  addInitCommand,
  addAttachCommand,
  addDetachCommand,
  addStatusCommand,
  addCatalogCommand,
  addDiffCommand,
  addRehearseCommand,
  addExecCommand,
  addSyncCommand,
  addMigrationsCommand,
  addHeldCommand,
  addBlockedCommand,
  addResolveCommand,
  addCheckCommand,
  addNewSiteCommand,
  addPruneCommand,
  addScenarioCommand,
  addExampleCommand,
  addTokenCommand,
];

const AFTER_HELP = `
REPLICA is the path of a file, a name of the fleet, or the first characters of a site ID.
PEER is a REPLICA, or ws(s)://host[:port]/<site>; its token comes from CONCORD_TOKEN or --token-file.
Exit status: 0 done, 1 it says no (blocked, different, failed), 2 not understood.`;

/** The command line with all its subcommands. `ended` hears the exit status of the one that ran. */
export function createProgram(context: CommandContext, ended: (status: ExitStatus) => void): Command {
  const program = new Command('concord')
    .description('Multi-writer replication for SQLite databases, schema changes included.')
    .version(context.version)
    .addHelpText('after', AFTER_HELP)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: context.output.out,
      // Mistakes are told in our own words, by whoever catches them.
      writeErr: () => undefined,
      getOutHelpWidth: () => context.output.width ?? HELP_WIDTH,
    });
  const run: Run = async (options, work) => ended(await runCommand(context, options, () => work(context)));
  for (const add of SUBCOMMANDS) add(program, run);
  return program;
}

const HELP_WIDTH = 100;
