import type { Command } from 'commander';

import type { CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';

/** Runs what a subcommand does and prints its answer. */
export type Run = (
  options: { readonly json?: boolean },
  work: (context: CommandContext) => Promise<CommandResult>,
) => Promise<void>;

/** Adds one subcommand to the program. One file each. */
export type AddSubcommand = (program: Command, run: Run) => void;
