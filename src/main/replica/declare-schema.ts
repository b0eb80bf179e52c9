import type { ObjectDefinition } from '#shared/model/catalog-diff.ts';
import { err, ok, type Result } from '#shared/result.ts';

import { namedTwice, planDeclaration, type Declared } from '../engine/declare/plan-declaration.ts';
import type { Log } from '../engine/ports.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { splitStatements } from '../sql/split-statements.ts';
import type { DeclareError, DeclareReport, DeclareRequest, Replica } from './replica.ts';

/**
 * Brings a replica to the schema that an application declares: each difference is one alteration like any other, which
 * replicates, and one line in the log. With nothing different nothing is done.
 *
 * Errors:
 * - `schema-not-understood`: something else than CREATE TABLE, INDEX, VIEW or TRIGGER, or one object twice; nothing is done.
 * - `declaration-failed`: an alteration is refused; what came before it is done and stays, and another start goes on from there.
 */
export function declareSchema(
  { definitions, exec }: Pick<Replica, 'definitions' | 'exec'>,
  log: Log,
  { schema, typeChange }: DeclareRequest,
): Result<DeclareReport, DeclareError> {
  const declared = readSchema(schema);
  if (!declared.ok) return declared;
  const current = definitions().flatMap(readDefinition);
  const { steps, warnings } = planDeclaration({ current, declared: declared.value, typeChange });
  for (const warning of warnings) log.warn(`[migration] ${warning}`);
  for (const { sql, line } of steps) {
    const done = exec(sql);
    if (!done.ok) {
      const message = `The declared schema could not be brought about: ${sql} failed: ${done.error.message}`;
      return err({ code: 'declaration-failed', message, cause: done.error });
    }
    log.info(`[migration] ${line}`);
  }
  return ok({ done: steps.map(({ line }) => line), warnings });
}

function readSchema(schema: string): Result<readonly Declared[], DeclareError> {
  const declared: Declared[] = [];
  for (const { text, line } of splitStatements(schema)) {
    const parsed = parseDdl(text);
    if (!parsed.ok)
      return notUnderstood(
        `line ${line + parsed.error.line - 1}: ${parsed.error.message} near "${parsed.error.near}"`,
      );
    const { value } = parsed;
    if (!isDeclared(value)) return notUnderstood(`line ${line}: ${text.slice(0, QUOTED_CHARS_MAX)}`);
    declared.push(value);
  }
  const twice = namedTwice(declared);
  return twice === null ? ok(declared) : notUnderstood(`${twice} is declared twice`);
}

const QUOTED_CHARS_MAX = 80;

const notUnderstood = (detail: string): Result<never, DeclareError> =>
  err({
    code: 'schema-not-understood',
    message: `A declared schema is made of CREATE TABLE, CREATE INDEX, CREATE VIEW and CREATE TRIGGER, each name once. ${detail}.`,
  });

/** What is here and cannot be read is no reason to stop: it is not touched. */
function readDefinition({ sql }: ObjectDefinition): readonly Declared[] {
  const parsed = parseDdl(sql);
  return parsed.ok && isDeclared(parsed.value) ? [parsed.value] : [];
}

const isDeclared = (
  statement: Extract<ReturnType<typeof parseDdl>, { readonly ok: true }>['value'],
): statement is Declared =>
  (statement.kind === 'createTable' ||
    statement.kind === 'createIndex' ||
    statement.kind === 'createView' ||
    statement.kind === 'createTrigger') &&
  !('temporary' in statement && statement.temporary);
