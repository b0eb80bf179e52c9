import { statSync } from 'node:fs';

import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

/** What work on a scratch copy costs: asked for before it, told after it. */
export interface ScratchMeter {
  /** `rewritten`: tables whose rows SQLite writes anew in their place, which leaves no other trace. */
  readonly read: (rewritten: readonly string[]) => ScratchCost;
}

export interface ScratchCost {
  /** Rows that were written anew, indexed or dropped. */
  readonly rows: number;
  readonly bytes: number;
}

interface Tree {
  readonly type: 'table' | 'index';
  readonly name: string;
  readonly table: string;
  readonly root: number;
}

/**
 * Begins to measure. A table that is rebuilt gets another root page, so what was written anew is told by the pages;
 * `original` is where the rows of what is gone are counted.
 */
export function measureScratch(copy: StoreDatabase, original: StoreDatabase): ScratchMeter {
  const before = readTrees(copy);
  const roots = new Set(before.map(({ root }) => root));
  const bytesBefore = logBytes(copy);

  return {
    read: (rewritten) => {
      const after = readTrees(copy);
      const kept = new Set(after.map(({ root }) => root));
      const fresh = after.filter(({ root }) => !roots.has(root));
      const freshTables = new Set(fresh.filter(isTable).map(({ name }) => name));
      const gone = before.filter((tree) => isTable(tree) && !kept.has(tree.root) && !isThere(after, tree));
      const inPlace = after.filter((tree) => isTable(tree) && rewritten.includes(tree.name));
      // The indexes of a table that was rebuilt are part of its price.
      const indexed = fresh.filter((tree) => !isTable(tree) && !freshTables.has(tree.table));
      const written = new Set([...freshTables, ...inPlace.map(({ name }) => name)]);
      return {
        rows:
          sum([...written].map((name) => countRows(copy, name))) +
          sum(indexed.map(({ table }) => countRows(copy, table))) +
          sum(gone.map(({ name }) => countRows(original, name))),
        bytes: logBytes(copy) - bytesBefore,
      };
    },
  };
}

const isTable = ({ type }: Tree): boolean => type === 'table';

const isThere = (trees: readonly Tree[], { name }: Tree): boolean =>
  trees.some((tree) => isTable(tree) && tree.name === name);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function readTrees(db: StoreDatabase): readonly Tree[] {
  return db
    .prepare<
      [],
      { readonly type: Tree['type']; readonly name: string; readonly tbl: string; readonly root: bigint }
    >(
      `select type, name, tbl_name as tbl, rootpage as root from sqlite_schema
       where type in ('table', 'index') and rootpage > 0 and sql is not null`,
    )
    .all()
    .filter(({ name, tbl }) => !isBookkeepingName(name) && !isBookkeepingName(tbl))
    .map(({ type, name, tbl, root }) => ({ type, name, table: tbl, root: Number(root) }));
}

const countRows = (db: StoreDatabase, table: string): number =>
  toNumber(db.preparePluck<[]>(`select count(*) from main.${quoteIdentifier(table)}`).get());

/** All that was written since the copy was made lies in its log. */
function logBytes(copy: StoreDatabase): number {
  return statSync(`${copy.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
