import type { CommandAnswer, CommandFailure, CommandResult, ExitStatus } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Runs a command and prints what it has to say: the answer on stdout, as text or as one JSON document, and a failure
 * as one sentence on stderr (with `--json` also as the document).
 *
 * A bug is the process's to tell; it is not caught here.
 */
export async function runCommand(
  context: CommandContext,
  options: { readonly json?: boolean },
  work: () => Promise<CommandResult>,
): Promise<ExitStatus> {
  const result = await work();
  if (options.json === true) context.output.out(`${JSON.stringify(documentOf(result), null, 2)}\n`);
  if (!result.ok) {
    context.output.err(`${result.error.message}\n`);
    return result.error.status;
  }
  if (options.json !== true && result.value.text !== '') context.output.out(`${result.value.text}\n`);
  return result.value.status;
}

function documentOf(result: CommandResult): CommandAnswer['json'] {
  return result.ok ? result.value.json : { error: withoutStatus(result.error) };
}

function withoutStatus({ code, message }: CommandFailure): {
  readonly code: string;
  readonly message: string;
} {
  return { code, message };
}
