import { foldIdentifier } from '../sql/fold-identifier.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { isSignificant, type Token } from '../sql/token.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';
import type { StoreDatabase } from './store-database.ts';

// What SQLite made of our triggers. It rewrites the names of tables and columns in them when something is renamed, and
// leaves the numbers by which we know them: so a rename by another program is told from a drop and an addition.

/** What Concord's triggers say of a table. */
export interface CapturedTable {
  readonly tbl: number;
  /** The table that they lie on, by the name that it has now. */
  readonly name: string;
  /** Whether none of those is missing that every captured table has. */
  readonly isWhole: boolean;
}

/** The tables that Concord's triggers lie on, by ordinal. */
export function readCaptured(db: StoreDatabase): ReadonlyMap<number, CapturedTable> {
  const rows = db
    .prepareRaw<[], [string, string]>(
      `select name, tbl_name from sqlite_schema where type = 'trigger' and name like '\\_concord\\_%' escape '\\'`,
    )
    .all();
  const found = new Map<number, { readonly name: string; readonly letters: Set<string> }>();
  for (const [trigger, name] of rows) {
    const [, letter = '', tbl = ''] = /^_concord_([a-z])_(\d+)$/i.exec(trigger) ?? [];
    if (letter === '') continue;
    const known = found.get(Number(tbl)) ?? { name, letters: new Set() };
    known.letters.add(foldIdentifier(letter));
    found.set(Number(tbl), known);
  }
  return new Map(
    [...found].map(([tbl, { name, letters }]) => [
      tbl,
      { tbl, name, isWhole: ['i', 'u', 'd'].every((letter) => letters.has(letter)) },
    ]),
  );
}

/** The columns of captured tables by ordinal of table and column, by the names that they have now. */
export function readCapturedColumns(
  db: StoreDatabase,
  tables: readonly number[],
): ReadonlyMap<number, ReadonlyMap<number, string>> {
  if (tables.length === 0) return new Map();
  const triggers = JSON.stringify(tables.map((tbl) => `_concord_u_${String(tbl)}`));
  const rows = db
    .prepareRaw<[string], [string, string]>(
      `select name, sql from sqlite_schema where type = 'trigger' and name in (select value from json_each(?))`,
    )
    .all(triggers);
  return new Map(rows.map(([name, sql]) => [Number(name.split('_').at(-1)), columnsInTrigger(sql)]));
}

/**
 * Reads the columns out of an update trigger: each is compared, and the outcome shifted to its bit. A list of bits is
 * followed by the ordinal that its first bit stands for.
 */
export function columnsInTrigger(sql: string): ReadonlyMap<number, string> {
  const tokens = scanTokens(sql).filter(isSignificant);
  const textAt = (at: number): string => tokens[at]?.text ?? '';
  const columns = new Map<number, string>();
  let list: { readonly bit: number; readonly name: string }[] = [];
  let latest = '';
  for (const [at, token] of tokens.entries()) {
    if (isOld(token) && textAt(at + 1) === '.') latest = unquoteIdentifier(textAt(at + 2));
    if (token.text !== '<<' || textAt(at + 2) !== ')') continue;
    list.push({ bit: Number(textAt(at + 1)), name: latest });
    if (textAt(at + 3) !== ',') continue;
    const base = Number(textAt(at + 4));
    for (const { bit, name } of list) columns.set(base + bit, name);
    list = [];
  }
  return columns;
}

const isOld = ({ kind, text }: Token): boolean => kind === 'word' && foldIdentifier(text) === 'old';
