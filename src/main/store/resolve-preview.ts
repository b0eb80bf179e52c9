import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ShapePreview } from '#shared/model/views.ts';
import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import type { TableDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { renderStatement } from '../sql/render-statement.ts';
import { constraintOf } from './constraint-failure.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TrackedTable } from './table-registry.ts';

/** How many casts that lose something are shown. */
const LOSSY_EXAMPLES_MAX = 5;

/**
 * Counts what the rows of a table go through under another shape, on a scratch copy.
 *
 * The copy is a file in the system's folder for temporary ones, gone afterwards; nothing of the replica is
 * written and no transaction is held. A cast loses something when casting back does not give the value again:
 * '1.10' becomes 1.1, '9.5' as 9.5 does not lose.
 */
export function previewShape(db: StoreDatabase, table: TrackedTable, target: TableDefinition): ShapePreview {
  const scratch = 'concord_scratch';
  const folder = mkdtempSync(join(tmpdir(), 'concord-preview-'));
  const path = join(folder, 'scratch.db');
  // A connection to a file that had to be there may make none, attached ones included.
  writeFileSync(path, '');
  db.prepare<[string]>(`attach database ? as ${scratch}`).run(path);
  try {
    // It need not outlive anything, and every row is a transaction of its own: no waiting for the disk.
    db.exec(`pragma ${scratch}.journal_mode = memory; pragma ${scratch}.synchronous = off`);
    return previewOn(db, { scratch, table, target });
  } finally {
    db.exec(`detach database ${scratch}`);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ScratchRun {
  readonly scratch: string;
  readonly table: TrackedTable;
  readonly target: TableDefinition;
}

function previewOn(db: StoreDatabase, run: ScratchRun): ShapePreview {
  const { scratch, table, target } = run;
  const shared = target.columns.filter(
    (column) => column.generated === undefined && sourceOf(table, column.name) !== null,
  );
  const { rows, refused } = copyInto(
    db,
    run,
    shared.map((column) => column.name),
  );
  const compared = shared.map((column) => compareColumn(db, run, column.name));
  const changed = compared.map((column) => column.changed).filter((sql) => sql !== '');
  const pair = `main.${quoteIdentifier(table.name ?? '')} as a join ${scratch}.concord_map as m on m.old = a.${ridOf(table)} join ${scratch}.concord_copy as b on b.rowid = m.new`;
  const rowsConverted =
    changed.length === 0 ? 0 : count(db, `select count(*) from ${pair} where ${changed.join(' or ')}`);
  return {
    resultDdl: canonicalTable({ ...target, name: table.name ?? target.name }),
    rows,
    rowsConverted,
    lossyCasts: compared.reduce(
      (sum, column) => sum + count(db, `select count(*) from ${pair} where ${column.lossy}`),
      0,
    ),
    lossyExamples: compared
      .flatMap((column) => lossyExamples(db, { pair, table, column }))
      .slice(0, LOSSY_EXAMPLES_MAX),
    cellsHeld: cellsWithoutColumn(db, run),
    rowsHeld: refused,
  };
}

/** The column here that fills a column of the target, by name. */
const sourceOf = (table: TrackedTable, name: string): string | null =>
  table.columns.find((column) => isSameName(column.name, name))?.name ?? null;

const ridOf = (table: TrackedTable): string => table.ridExpression;

/** Copies row by row into the target shape; a rowid map pairs what was with what became of it. */
function copyInto(
  db: StoreDatabase,
  run: ScratchRun,
  names: readonly string[],
): { readonly rows: number; readonly refused: number } {
  const { scratch, table, target } = run;
  const loose = {
    ...target,
    name: 'concord_copy',
    withoutRowid: false,
    constraints: target.constraints.filter((constraint) => constraint.kind !== 'foreignKey'),
    columns: target.columns.map((column) => ({ ...column, references: [] })),
  };
  db.exec(
    renderStatement({
      kind: 'createTable',
      schema: scratch,
      temporary: false,
      ifNotExists: false,
      table: loose,
    }),
  );
  db.exec(
    `create table ${scratch}.concord_map (old any not null primary key, new integer not null) strict, without rowid`,
  );
  const columns = names.map(quoteIdentifier).join(', ');
  const sources = names.map((name) => quoteIdentifier(sourceOf(table, name) ?? name)).join(', ');
  const insert = db.prepare<unknown[]>(
    names.length === 0
      ? `insert into ${scratch}.concord_copy default values`
      : `insert into ${scratch}.concord_copy (${columns}) select ${sources} from main.${quoteIdentifier(table.name ?? '')} where ${ridOf(table)} = ?`,
  );
  const map = db.prepare<unknown[]>(`insert into ${scratch}.concord_map (old, new) values (?, ?)`);
  const places = db
    .preparePluck<[], SqlValue>(`select ${ridOf(table)} from main.${quoteIdentifier(table.name ?? '')}`)
    .all();
  let refused = 0;
  for (const place of places) {
    try {
      const { lastInsertRowid } = insert.run(...(names.length === 0 ? [] : [place]));
      map.run(place, BigInt(lastInsertRowid));
    } catch (cause) {
      if (constraintOf(cause) === null) throw cause;
      refused += 1;
    }
  }
  return { rows: places.length, refused };
}

interface ComparedColumn {
  readonly name: string;
  readonly source: string;
  readonly changed: string;
  readonly lossy: string;
}

function compareColumn(_db: StoreDatabase, run: ScratchRun, name: string): ComparedColumn {
  const source = sourceOf(run.table, name) ?? name;
  const before = `a.${quoteIdentifier(source)}`;
  const after = `b.${quoteIdentifier(name)}`;
  const changed = `(typeof(${before}) <> typeof(${after}) or ${before} is not ${after} collate binary)`;
  const back = `case typeof(${before}) when 'text' then cast(${after} as text) when 'integer' then cast(${after} as integer) when 'real' then cast(${after} as real) else ${after} end`;
  return { name, source, changed, lossy: `(${changed} and ${back} is not ${before} collate binary)` };
}

function lossyExamples(
  db: StoreDatabase,
  input: { readonly pair: string; readonly table: TrackedTable; readonly column: ComparedColumn },
): ShapePreview['lossyExamples'] {
  const { pair, table, column } = input;
  const key = table.key.map((part) => `a.${quoteIdentifier(part.name)}`);
  const rows = db
    .prepareRaw<[], SqlValue[]>(
      `select a.${quoteIdentifier(column.source)}, b.${quoteIdentifier(column.name)}${key.map((part) => `, ${part}`).join('')} from ${pair} where ${column.lossy} limit ${String(LOSSY_EXAMPLES_MAX)}`,
    )
    .all();
  return rows.map(([from, to, ...values]) => ({
    column: column.name,
    key: values.map(sqlValueToJson),
    from: sqlValueToJson(from ?? null),
    to: sqlValueToJson(to ?? null),
  }));
}

/** Values of columns that the shape lacks: they wait in held. */
function cellsWithoutColumn(db: StoreDatabase, { table, target }: ScratchRun): ShapePreview['cellsHeld'] {
  return table.columns
    .filter((column) => !target.columns.some((candidate) => isSameName(candidate.name, column.name)))
    .map((column) => ({
      column: column.name,
      cells: count(
        db,
        `select count(*) from main.${quoteIdentifier(table.name ?? '')} where ${quoteIdentifier(column.name)} is not null`,
      ),
    }))
    .filter((column) => column.cells > 0);
}

const count = (db: StoreDatabase, sql: string): number => Number(db.preparePluck<[]>(sql).get() ?? 0);
