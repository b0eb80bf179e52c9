import { err, type Result } from '#shared/result.ts';

import type { DdlStatement } from './ast.ts';
import { listKeys } from './compare/table-keys.ts';
import { classifyStatement, type StatementKind } from './classify-statement.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { isBookkeepingName } from './is-bookkeeping-name.ts';
import { isInternalName } from './is-internal-name.ts';
import { parseDdl, type DdlError } from './parse-ddl.ts';
import { scanTokens } from './scan-tokens.ts';
import { splitStatements } from './split-statements.ts';
import { textsInStatement } from './texts-in-statement.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

export type RefusedStatement =
  | { readonly code: 'no-statement' }
  | { readonly code: 'statement-length'; readonly length: number; readonly lengthMax: number }
  | { readonly code: 'several-statements'; readonly count: number }
  | { readonly code: 'statement-kind'; readonly kind: StatementKind | 'createTableAs' }
  | { readonly code: 'temporary-object' }
  | { readonly code: 'other-schema'; readonly schema: string }
  | { readonly code: 'bookkeeping-object' | 'internal-object'; readonly name: string }
  | { readonly code: 'unsafe-function'; readonly name: string }
  | DdlError;

/**
 * Decides whether DDL that came from a peer may run at all: one statement of DDL on user objects of the main schema,
 * which has nothing to do with Concord's bookkeeping, inside its body neither (SCHEMA-003).
 *
 * Errors:
 * - `no-statement`, `several-statements`: not exactly one.
 * - `statement-length`: longer than any definition that people or programs write; lengths in UTF-16 units.
 * - `statement-kind`: no DDL, a virtual table, or a CREATE TABLE AS, which would copy whatever the receiver has; or a
 *   body with something else in it than reading and writing rows.
 * - `temporary-object`, `other-schema`: outside of the replica's file.
 * - `bookkeeping-object`, `internal-object`: touches `_concord_*`, or creates, alters, drops or writes `sqlite_*`, or
 *   reads the pages of the file past their tables.
 * - `unsafe-function`: calls what reaches beyond the file in programs that offer it, such as `load_extension`.
 * - `ddl-syntax`: cannot be read, so nobody knows what it would do.
 */
export function checkPeerStatement(text: string): Result<DdlStatement, RefusedStatement> {
  const { length } = text;
  if (length > STATEMENT_LENGTH_MAX) {
    return err({ code: 'statement-length', length, lengthMax: STATEMENT_LENGTH_MAX });
  }
  const statements = splitStatements(text);
  const [only] = statements;
  if (only === undefined) return err({ code: 'no-statement' });
  if (statements.length > 1) return err({ code: 'several-statements', count: statements.length });

  const { kind, temporary } = classifyStatement(only.text);
  if (!PEER_KINDS.has(kind)) return err({ code: 'statement-kind', kind });
  if (temporary) return err({ code: 'temporary-object' });
  const parsed = parseDdl(only.text);
  if (!parsed.ok) return parsed;
  const refusal = refuseStatement(parsed.value) ?? refuseBody(parsed.value);
  return refusal === undefined ? parsed : err(refusal);
}

const STATEMENT_LENGTH_MAX = 1_048_576;

const PEER_KINDS: ReadonlySet<StatementKind> = new Set([
  'createTable',
  'createIndex',
  'createView',
  'createTrigger',
  'dropTable',
  'dropIndex',
  'dropView',
  'dropTrigger',
  'alterTable',
]);

function refuseStatement(statement: DdlStatement): RefusedStatement | undefined {
  if (statement.kind === 'createTableAs') return { code: 'statement-kind', kind: 'createTableAs' };
  const schemas = [statement.schema, statement.kind === 'createTrigger' ? statement.tableSchema : undefined];
  const schema = schemas.find((one) => one !== undefined && foldIdentifier(one) !== 'main');
  if (schema !== undefined) return { code: 'other-schema', schema };
  const names = [...namesOf(statement), ...parentsOf(statement)];
  return refuseBookkeeping(names) ?? refuseInternal(names);
}

/** Looks into the expressions, the select, the body. */
function refuseBody(statement: DdlStatement): RefusedStatement | undefined {
  const hasBody = statement.kind === 'createView' || statement.kind === 'createTrigger';
  for (const text of textsInStatement(statement)) {
    const tokens = scanTokens(text).filter(isSignificant);
    const unsafe = tokens.find((_, at) => isUnsafeFunction(tokens, at));
    if (unsafe !== undefined) return { code: 'unsafe-function', name: unquoteIdentifier(unsafe.text) };
    const names = hasBody ? namesIn(tokens) : [];
    const refusal =
      refuseBookkeeping(names) ??
      refuseInternal([...names.filter(isPageTable), ...(hasBody ? writtenNames(tokens) : [])]);
    if (refusal !== undefined) return refusal;
  }
  return refuseBodyKind(statement);
}

function refuseBodyKind(statement: DdlStatement): RefusedStatement | undefined {
  const [allowed, texts] =
    statement.kind === 'createTrigger'
      ? [TRIGGER_KINDS, statement.trigger.body]
      : [VIEW_KINDS, statement.kind === 'createView' ? [statement.view.select] : []];
  const kind = texts.map((text) => classifyStatement(text).kind).find((one) => !allowed.has(one));
  return kind === undefined ? undefined : { code: 'statement-kind', kind };
}

const VIEW_KINDS: ReadonlySet<StatementKind> = new Set(['select']);
const TRIGGER_KINDS: ReadonlySet<StatementKind> = new Set([
  'select',
  'insert',
  'replace',
  'update',
  'delete',
]);

function refuseBookkeeping(names: readonly string[]): RefusedStatement | undefined {
  const name = names.find(isBookkeepingName);
  return name === undefined ? undefined : { code: 'bookkeeping-object', name };
}

function refuseInternal(names: readonly string[]): RefusedStatement | undefined {
  const name = names.find(isInternalName);
  return name === undefined ? undefined : { code: 'internal-object', name };
}

/** Tables that are the pages of the file itself, bookkeeping and all. */
function isPageTable(name: string): boolean {
  return /^sqlite_db(?:page|data|ptr)$/i.test(name);
}

/**
 * Functions of SQLite and its shell that run programs, load libraries or read and write files. SQLite itself keeps
 * some of them out of schemas, but not in every version that may open the file.
 */
const UNSAFE_FUNCTIONS: ReadonlySet<string> = new Set([
  'load_extension',
  'fts3_tokenizer',
  'readfile',
  'writefile',
  'edit',
  'eval',
  'fsdir',
  'lsdir',
  'zipfile',
]);

function isUnsafeFunction(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !isNameLike(token)) return false;
  if (!UNSAFE_FUNCTIONS.has(foldIdentifier(unquoteIdentifier(token.text)))) return false;
  // `insert into edit (a)` writes to a table of that name.
  return tokens[at + 1]?.text === '(' && wordOf(tokens[at - 1]) !== 'into';
}

/** The objects that the statement is about. */
function namesOf(statement: DdlStatement): readonly string[] {
  switch (statement.kind) {
    case 'createTable':
    case 'createVirtualTable':
      return [statement.table.name];
    case 'createIndex':
      return [statement.index.name, statement.index.table];
    case 'createView':
      return [statement.view.name];
    case 'createTrigger':
      return [statement.trigger.name, statement.trigger.table];
    case 'alterTable': {
      const { table, action } = statement;
      return action.kind === 'renameTable' ? [table, action.newName] : [table];
    }
    default:
      return [statement.name];
  }
}

function parentsOf(statement: DdlStatement): readonly string[] {
  if (statement.kind === 'createTable')
    return listKeys(statement.table).foreignKeys.map(({ target }) => target.table);
  if (statement.kind !== 'alterTable') return [];
  const { action } = statement;
  if (action.kind === 'addColumn') return action.column.references.map(({ table }) => table);
  const isForeignKey = action.kind === 'addConstraint' && action.constraint.kind === 'foreignKey';
  return isForeignKey ? [action.constraint.target.table] : [];
}

// SQLite takes 'x' for a name where it wants one, so text counts as well.
function namesIn(tokens: readonly Token[]): readonly string[] {
  return tokens.filter(isNameLike).map(({ text }) => unquoteIdentifier(text));
}

/** Reading `sqlite_schema` does no harm, and views do it; writing to `sqlite_sequence` would. */
function writtenNames(tokens: readonly Token[]): readonly string[] {
  return namesIn(tokens.filter((_, at) => isWriteTarget(tokens, at)));
}

function isWriteTarget(tokens: readonly Token[], at: number): boolean {
  const before = (steps: number): string => wordOf(tokens[at - steps]);
  if (before(1) === 'into' || before(1) === 'update') return true;
  if (before(1) === 'from') return before(2) === 'delete';
  return before(2) === 'or' && before(3) === 'update';
}

function isNameLike({ kind }: Token): boolean {
  return kind === 'word' || kind === 'quotedIdentifier' || kind === 'string';
}

function wordOf(token: Token | undefined): string {
  return token?.kind === 'word' ? foldIdentifier(token.text) : '';
}
