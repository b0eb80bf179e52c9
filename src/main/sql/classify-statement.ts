import { foldIdentifier } from './fold-identifier.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

export type StatementKind =
  | 'createTable'
  | 'createIndex'
  | 'createView'
  | 'createTrigger'
  | 'createVirtualTable'
  | 'dropTable'
  | 'dropIndex'
  | 'dropView'
  | 'dropTrigger'
  | 'alterTable'
  | 'insert'
  | 'update'
  | 'delete'
  | 'replace'
  | 'select'
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'savepoint'
  | 'release'
  | 'pragma'
  | 'attach'
  | 'detach'
  | 'vacuum'
  | 'reindex'
  | 'analyze'
  | 'explain'
  | 'other';

export interface StatementClass {
  readonly kind: StatementKind;
  /** CREATE TEMP, or a CREATE, DROP or ALTER of an object in the schema `temp`. */
  readonly temporary: boolean;
}

/**
 * Says what one statement does by its first words, without demanding that the rest is right.
 *
 * A WITH is what follows its table expressions; VALUES is a select; END is a commit; a statement of
 * which nothing is known is `other`, the empty one too.
 */
export function classifyStatement(text: string): StatementClass {
  const tokens = scanTokens(text).filter((token) => isSignificant(token) && token.text !== ';');
  const verb = wordAt(tokens, 0);
  if (verb === 'create') return classifyCreate(tokens);
  if (verb === 'drop') return ofObject(DROPS.get(wordAt(tokens, 1)), tokens.slice(2));
  if (verb === 'alter' && wordAt(tokens, 1) === 'table') return ofObject('alterTable', tokens.slice(2));
  if (verb === 'with') return plain(VERBS.get(mainVerb(tokens)));
  return plain(VERBS.get(verb));
}

const VERBS: ReadonlyMap<string, StatementKind> = new Map([
  ['insert', 'insert'],
  ['update', 'update'],
  ['delete', 'delete'],
  ['replace', 'replace'],
  ['select', 'select'],
  ['values', 'select'],
  ['begin', 'begin'],
  ['commit', 'commit'],
  ['end', 'commit'],
  ['rollback', 'rollback'],
  ['savepoint', 'savepoint'],
  ['release', 'release'],
  ['pragma', 'pragma'],
  ['attach', 'attach'],
  ['detach', 'detach'],
  ['vacuum', 'vacuum'],
  ['reindex', 'reindex'],
  ['analyze', 'analyze'],
  ['explain', 'explain'],
]);

const CREATES: ReadonlyMap<string, StatementKind> = new Map([
  ['table', 'createTable'],
  ['index', 'createIndex'],
  ['view', 'createView'],
  ['trigger', 'createTrigger'],
]);

const DROPS: ReadonlyMap<string, StatementKind> = new Map([
  ['table', 'dropTable'],
  ['index', 'dropIndex'],
  ['view', 'dropView'],
  ['trigger', 'dropTrigger'],
]);

const MAIN_VERBS: ReadonlySet<string> = new Set([
  'select',
  'values',
  'insert',
  'replace',
  'update',
  'delete',
]);

function classifyCreate(tokens: readonly Token[]): StatementClass {
  const second = wordAt(tokens, 1);
  if (second === 'virtual' && wordAt(tokens, 2) === 'table') {
    return ofObject('createVirtualTable', tokens.slice(3));
  }
  if (second === 'unique' && wordAt(tokens, 2) === 'index') return ofObject('createIndex', tokens.slice(3));
  const isTemporary = second === 'temp' || second === 'temporary';
  if (!isTemporary) return ofObject(CREATES.get(second), tokens.slice(2));
  return { kind: CREATES.get(wordAt(tokens, 2)) ?? 'other', temporary: true };
}

function ofObject(kind: StatementKind | undefined, tokens: readonly Token[]): StatementClass {
  const name = tokens.filter((token) => !isExistenceClause(token));
  const temporary = name[1]?.text === '.' && schemaOf(name[0]) === 'temp';
  return { kind: kind ?? 'other', temporary };
}

function isExistenceClause(token: Token): boolean {
  return token.kind === 'word' && ['if', 'not', 'exists'].includes(foldIdentifier(token.text));
}

function schemaOf(token: Token | undefined): string {
  return token === undefined ? '' : foldIdentifier(unquoteIdentifier(token.text));
}

function mainVerb(tokens: readonly Token[]): string {
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    const word = wordAt(tokens, at);
    // A table expression may be called `replace`; then AS or a column list follows it.
    if (depth === 0 && MAIN_VERBS.has(word) && !namesTableExpression(tokens, at)) return word;
  }
  return '';
}

function namesTableExpression(tokens: readonly Token[], at: number): boolean {
  return wordAt(tokens, at) === 'replace' && wordAt(tokens, at + 1) !== 'into';
}

function plain(kind: StatementKind | undefined): StatementClass {
  return { kind: kind ?? 'other', temporary: false };
}

function wordAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  return token?.kind === 'word' ? foldIdentifier(token.text) : '';
}
