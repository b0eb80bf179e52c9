import type { ObjectDefinition } from '#shared/model/catalog-diff.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { readPlainDefinitions } from '../store/read-definitions.ts';
import type { CommandFailure } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { findReplica } from './find-replica.ts';
import { openQuietReader } from './open-quiet-reader.ts';

export interface NamedDefinitions {
  /** As people call it: the fleet's name, else the path. */
  readonly name: string;
  readonly definitions: readonly ObjectDefinition[];
}

/** The schema objects of a replica, or of an SQLite file that is none. Leaves no trace. */
export function readDefinitionsOf(
  context: CommandContext,
  said: string,
): Result<NamedDefinitions, CommandFailure> {
  const found = findReplica(context, said);
  if (!found.ok) return found;
  const { path, name } = found.value;
  const opened = openQuietReader(context, path);
  if (opened.ok) {
    const definitions = opened.value.definitions();
    opened.value.close();
    return ok({ name, definitions });
  }
  const plain = opened.error.code === 'not-a-replica' ? readPlainDefinitions(path) : opened;
  if (plain.ok) return ok({ name, definitions: plain.value });
  return err({ code: plain.error.code, message: plain.error.message, status: 1 });
}
