import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { ok, type Result } from '#shared/result.ts';
import { refuse, type CommandFailure } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';

/** The secret from `--token-file`, else from CONCORD_TOKEN; null when neither is there. Never from an argument. */
export function readToken(context: CommandContext, file?: string): Result<string | null, CommandFailure> {
  if (file === undefined) {
    const fromEnvironment = context.surroundings.env['CONCORD_TOKEN']?.trim();
    return ok(fromEnvironment === undefined || fromEnvironment === '' ? null : fromEnvironment);
  }
  try {
    const secret = readFileSync(resolve(context.cwd, file), 'utf8').trim();
    return secret === '' ? refuse('no-token', `${file} is empty: put the token's secret in it.`) : ok(secret);
  } catch {
    return refuse('no-token', `${file} cannot be read: check the path and its rights.`);
  }
}
