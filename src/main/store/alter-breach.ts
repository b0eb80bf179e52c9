import type { IndexDefinition, IndexPart, TableDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { quoteString } from '../sql/quote-string.ts';
import { renderCreateTable } from '../sql/render-create-table.ts';
import { AdmissionRefused } from './admission-refused.ts';
import type { AlterRun } from './alter-table.ts';
import { keyOfDefinition, rowidNameOf } from './definition-key.ts';
import { copyRows, type RebuildRequest } from './rebuild-table.ts';
import type { StoreDatabase } from './store-database.ts';

/** Rows that a new shape does not take, and why. */
export interface Breach {
  /** What is wrong with the rows, as the end of "Rows of t ...". */
  readonly problem: string;
  readonly column: string | null;
  /** By their keys, in words; `ROWS_NAMED` of them at most. */
  readonly rows: readonly string[];
  readonly hasMore: boolean;
}

/** So many rows are named; whoever has more to mend looks for them himself. */
const ROWS_NAMED = 20;

/** Refuses an alteration for rows that break it. */
export function refuseBreach(table: string, breach: Breach): never {
  const { column } = breach;
  throw new AdmissionRefused({
    cause: 'rowsBreakConstraint',
    object: table,
    ...(column === null ? {} : { column }),
    message: sentenceOf(table, breach),
  });
}

/** Which rows of a table break what, in words. */
export const sentenceOf = (table: string, { problem, rows, hasMore }: Breach): string =>
  `Rows of ${table} ${problem}: ${rows.join('; ')}${hasMore ? '; and more' : ''}.`;

/** Reads the rows that a query labels, as a breach; null where there is none. `query` gives one column and no limit. */
export function breachOf(
  db: StoreDatabase,
  query: string,
  said: Pick<Breach, 'problem' | 'column'>,
): Breach | null {
  const rows = db.preparePluck<[], string>(`${query} limit ${String(ROWS_NAMED + 1)}`).all();
  if (rows.length === 0) return null;
  return { ...said, rows: rows.slice(0, ROWS_NAMED), hasMore: rows.length > ROWS_NAMED };
}

/** SQL that names a row by its key: "id 7", "order 'a', line 2"; by its rowid where it has no key. */
export function rowLabel(table: TableDefinition, prefix = ''): string {
  const key = keyOfDefinition(table);
  const rowid = rowidNameOf(table);
  if (key.length === 0) return rowid === null ? quoteString('?') : `'rowid ' || ${prefix}${rowid}`;
  return key
    .map(
      ({ name }) => `${quoteString(`${name} `)} || substr(quote(${prefix}${quoteIdentifier(name)}), 1, 60)`,
    )
    .join(` || ', ' || `);
}

/**
 * Finds rows that break the shape that a table is to get: NULL where there may be none, values that a STRICT type does not
 * take, equal values of a unique key. Looks at a copy without constraints, and takes it away again.
 */
export function findBreach(run: AlterRun, request: RebuildRequest): Breach | null {
  const { db } = run.admission.store;
  const copy = `_concord_rows_${request.name}`;
  copyLoosely(db, request, copy);
  const from = `select ${LABEL} from ${quoteIdentifier(copy)}`;
  const breach =
    findMissing(db, request.target, from) ??
    findUnfit(db, request.target, from) ??
    findEqual(db, request, copy);
  db.exec(`drop table ${quoteIdentifier(copy)}`);
  return breach;
}

const LABEL = '_concord_row';

/** The rows with the values that they would have, and each with its name. */
function copyLoosely(db: StoreDatabase, request: RebuildRequest, copy: string): void {
  const loose = loosened(request.target);
  db.exec(renderCreateTable(loose, { name: copy }));
  db.exec(`alter table ${quoteIdentifier(copy)} add column ${LABEL} text`);
  const rowidOfCopy = rowidNameOf(loose);
  const rowid = rowidNameOf(request.current);
  copyRows(db, { ...request, target: loose }, copy);
  if (rowid === null || rowidOfCopy === null) {
    labelByOrder(db, request, copy);
    return;
  }
  db.exec(
    `update ${quoteIdentifier(copy)} as c set ${LABEL} = (select ${rowLabel(request.current, 't.')} from ${quoteIdentifier(request.name)} as t where t.${rowid} = c.${rowidOfCopy})`,
  );
}

/** Tables without rowids are copied in the order of their key. */
function labelByOrder(db: StoreDatabase, request: RebuildRequest, copy: string): void {
  const label = rowLabel(request.current);
  db.exec(
    `update ${quoteIdentifier(copy)} as c set ${LABEL} = l.label
     from (select row_number() over () as n, ${label} as label from ${quoteIdentifier(request.name)}) as l
     where l.n = c.${rowidNameOf(loosened(request.target)) ?? 'rowid'}`,
  );
}

function loosened(target: TableDefinition): TableDefinition {
  return {
    ...target,
    strict: false,
    withoutRowid: false,
    constraints: [],
    columns: target.columns.map(({ name, type, collation, generated }) => ({
      name,
      // ANY converts nothing in a STRICT table; elsewhere it is a word without meaning.
      type: target.strict && isSameName(type.trim(), 'ANY') ? '' : type,
      collation,
      generated,
      uniques: [],
      checks: [],
      references: [],
    })),
  };
}

function findMissing(db: StoreDatabase, target: TableDefinition, from: string): Breach | null {
  const key = keyOfDefinition(target);
  for (const column of target.columns) {
    const isKey = key.some(({ name }) => isSameName(name, column.name));
    if (column.generated !== undefined || (column.notNull === undefined && !isKey)) continue;
    const problem = `have no value in ${column.name}, which may not be NULL`;
    const breach = breachOf(db, `${from} where ${quoteIdentifier(column.name)} is null`, {
      problem,
      column: column.name,
    });
    if (breach !== null) return breach;
  }
  return null;
}

const STORED_AS: ReadonlyMap<string, string> = new Map([
  ['INT', 'integer'],
  ['INTEGER', 'integer'],
  ['REAL', 'real'],
  ['TEXT', 'text'],
  ['BLOB', 'blob'],
]);

function findUnfit(db: StoreDatabase, target: TableDefinition, from: string): Breach | null {
  if (!target.strict) return null;
  for (const { name, type } of target.columns) {
    const stored = STORED_AS.get(type.trim().toUpperCase());
    if (stored === undefined) continue;
    const problem = `have values in ${name} that a STRICT table does not take as ${type.trim()}`;
    const where = `typeof(${quoteIdentifier(name)}) not in ('null', '${stored}')`;
    const breach = breachOf(db, `${from} where ${where}`, { problem, column: name });
    if (breach !== null) return breach;
  }
  return null;
}

interface UniqueKey {
  readonly columns: string;
  readonly parts: readonly string[];
  readonly where: string | null;
}

/** Rows of a table that are equal in what a unique index is to be made of; null where there are none. */
export function findEqualRows(
  db: StoreDatabase,
  table: TableDefinition,
  index: IndexDefinition,
): Breach | null {
  return findEqualIn(db, keyOfIndex(index), { name: table.name, label: rowLabel(table) });
}

const keyOfIndex = ({ name, parts, where }: IndexDefinition): UniqueKey => ({
  columns: `${parts.map((part) => (part.kind === 'column' ? part.column : part.expression)).join(', ')} (index ${name})`,
  parts: parts.map(partText),
  where: where ?? null,
});

function findEqual(db: StoreDatabase, request: RebuildRequest, copy: string): Breach | null {
  for (const key of uniqueKeys(db, request)) {
    const breach = findEqualIn(db, key, { name: copy, label: LABEL });
    if (breach !== null) return breach;
  }
  return null;
}

function findEqualIn(
  db: StoreDatabase,
  { columns, parts, where }: UniqueKey,
  rows: { readonly name: string; readonly label: string },
): Breach | null {
  const conditions = [
    ...parts.map((part) => `(${part}) is not null`),
    ...(where === null ? [] : [`(${where})`]),
  ];
  const query =
    `select label from (select ${rows.label} as label, count(*) over (partition by ${parts.join(', ')}) as n` +
    ` from ${quoteIdentifier(rows.name)} where ${conditions.join(' and ')}) where n > 1`;
  return breachOf(db, query, { problem: `are equal in ${columns}, which must be unique`, column: null });
}

/** Every key that the table is to keep unique, those of its indexes too. */
function uniqueKeys(db: StoreDatabase, { name, target }: RebuildRequest): readonly UniqueKey[] {
  const ofColumns = (
    columns: readonly { readonly name: string; readonly collation?: string | undefined }[],
  ): UniqueKey => ({
    columns: columns.map((column) => column.name).join(', '),
    parts: columns.map((column) => withCollation(quoteIdentifier(column.name), column.collation)),
    where: null,
  });
  const key = keyOfDefinition(target);
  return [
    ...(key.length === 0 ? [] : [ofColumns(key)]),
    ...target.columns.flatMap((column) => column.uniques.map(() => ofColumns([{ name: column.name }]))),
    ...target.constraints.flatMap((constraint) =>
      constraint.kind === 'unique'
        ? [ofColumns(constraint.columns.map(({ column, collation }) => ({ name: column, collation })))]
        : [],
    ),
    ...uniqueIndexes(db, name),
  ];
}

function uniqueIndexes(db: StoreDatabase, table: string): readonly UniqueKey[] {
  return db
    .preparePluck<[string], string>(
      `select sql from sqlite_schema where type = 'index' and sql is not null and tbl_name = ? collate nocase`,
    )
    .all(table)
    .flatMap((sql) => {
      const parsed = parseDdl(sql);
      if (!parsed.ok || parsed.value.kind !== 'createIndex' || !parsed.value.index.unique) return [];
      return [keyOfIndex(parsed.value.index)];
    });
}

const partText = (part: IndexPart): string =>
  part.kind === 'expression' ? part.expression : withCollation(quoteIdentifier(part.column), part.collation);

const withCollation = (expression: string, collation: string | undefined): string =>
  collation === undefined ? expression : `${expression} collate ${quoteIdentifier(collation)}`;
