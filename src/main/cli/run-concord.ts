import { CommanderError } from 'commander';

import type { ExitStatus } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { createProgram } from './create-program.ts';

/** Codes of commander that are no mistakes. */
const FINE: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

/**
 * Runs one command line, without the program's own name in front.
 *
 * What is not understood is told in one sentence on stderr. Rejects on bugs only.
 */
export async function runConcord(args: readonly string[], context: CommandContext): Promise<ExitStatus> {
  let status: ExitStatus = 0;
  const program = createProgram(context, (ended) => {
    status = ended;
  });
  if (args.length === 0) {
    context.output.err(program.helpInformation());
    return 2;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (cause) {
    if (!(cause instanceof CommanderError)) throw cause;
    if (FINE.has(cause.code)) return 0;
    context.output.err(
      `${sentenceOf(
        cause,
        nameOf(
          args,
          program.commands.map((command) => command.name()),
        ),
      )}\n`,
    );
    return 2;
  }
}

function sentenceOf(mistake: CommanderError, command: string): string {
  const said = mistake.message.replace(/^error: /, '').split('\n');
  const what = said.map((line) => line.trim()).join(' ');
  if (mistake.code === 'commander.help')
    return `${command} needs one of its subcommands: \`${command} --help\` lists them.`;
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}: \`${command} --help\` shows what it takes.`;
}

/** The command that was meant, as one would type it. */
function nameOf(args: readonly string[], known: readonly string[]): string {
  const first = args.find((arg) => !arg.startsWith('-'));
  return first !== undefined && known.includes(first) ? `concord ${first}` : 'concord';
}
