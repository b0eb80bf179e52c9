import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { watchTriggers } from './capture-watch.ts';
import { keyDiffersExpression, keyExpression } from './key-expression.ts';
import { LOG_KIND, MASK_COLUMNS } from './metadata-schema.ts';
import type { StoreDatabase } from './store-database.ts';
import { readTableFacts, TABLE_KIND } from './table-facts.ts';
import type { ColumnFacts, TableFacts, UniqueFacts } from './table-facts.ts';
import type { TrackedTable } from './table-registry.ts';
import { TRIGGER_TIME } from './trigger-time.ts';

// The triggers that capture row changes: pure SQL of 3.37, three a table, five where it has a secondary unique key, appending to
// `_concord_log` in the writer's own transaction (LOG-001).
//
// They name columns, so they are dropped before and installed again after every alteration
// that SQLite's RENAME does not carry through.

/** What may stand between `_concord_` and the table's ordinal: insert, update, delete, watch before inserts, before updates. */
const TRIGGER_LETTERS = ['i', 'u', 'd', 'w', 'p'] as const;
type TriggerLetter = (typeof TRIGGER_LETTERS)[number];

export interface CaptureTrigger {
  readonly name: string;
  readonly sql: string;
}

/**
 * Installs the capture of a table, replacing what is installed; tables without a key get none. Runs in a transaction.
 *
 * Triggers that are right already stay: each that is dropped or made costs a look through the whole catalog. None is right
 * where one of the application's was made later that may pass over what follows it: SQLite fires the newest first.
 */
export function installCapture(db: StoreDatabase, table: TrackedTable): void {
  const wanted = captureTriggers(db, table);
  const installed = installedTriggers(db, table);
  const isOvertaken = hasLaterRaise(installed);
  const isRight = ({ name, sql }: CaptureTrigger): boolean =>
    !isOvertaken && installed.some((found) => found.name === name && isSameTrigger(found.sql, sql));
  for (const { name, isOurs } of installed) {
    if (isOurs && !wanted.some((trigger) => trigger.name === name && isRight(trigger)))
      db.exec(`drop trigger ${name}`);
  }
  for (const trigger of wanted) if (!isRight(trigger)) db.exec(trigger.sql);
}

/** Whether RAISE may stand in a trigger's text: RAISE(IGNORE) abandons the triggers that have not fired yet. */
export const mayRaise = (sql: string): boolean => /\braise\b/i.test(sql);

const hasLaterRaise = (triggers: readonly InstalledTrigger[]): boolean =>
  triggers.some(
    ({ isOurs, sql }, at) =>
      !isOurs && mayRaise(sql) && triggers.slice(0, at).some((before) => before.isOurs),
  );

/** Takes a table's capture away; what it recorded stays. Needed before DROP COLUMN. */
export function removeCapture(db: StoreDatabase, table: Pick<TrackedTable, 'tbl' | 'name'>): void {
  for (const { name, isOurs } of installedTriggers(db, table)) if (isOurs) db.exec(`drop trigger ${name}`);
}

interface InstalledTrigger extends CaptureTrigger {
  readonly isOurs: boolean;
}

/** A table's capture in the file, and triggers of the application that may raise, in the order in which they were made. */
function installedTriggers(
  db: StoreDatabase,
  { tbl, name: table }: Pick<TrackedTable, 'tbl' | 'name'>,
): readonly InstalledTrigger[] {
  const names = TRIGGER_LETTERS.map((letter) => triggerName(letter, tbl));
  return db
    .prepareRaw<(string | null)[], [string, string]>(
      `select name, sql from sqlite_schema where type = 'trigger' and (name in (${names.map(() => '?').join(', ')})
         or (tbl_name = ? collate nocase and sql like '%raise%')) order by rowid`,
    )
    .all(...names, table)
    .map(([name, sql]) => ({ name, sql, isOurs: names.includes(name) }));
}

/** Whether two texts of a trigger are one: SQLite keeps the text but for the words before the name. */
export const isSameTrigger = (left: string, right: string): boolean =>
  left.slice(left.indexOf('_concord_')) === right.slice(right.indexOf('_concord_'));

/** The triggers that a table should have as it stands now, by name and full text. */
export function captureTriggers(db: StoreDatabase, table: TrackedTable): readonly CaptureTrigger[] {
  if (table.name === null || table.kind === TABLE_KIND.noKey) return [];
  const facts = readTableFacts(db, table.name);
  if (facts === null) return [];
  const subject = createSubject(table, facts);
  return [
    { name: triggerName('i', table.tbl), sql: insertTrigger(subject) },
    { name: triggerName('u', table.tbl), sql: updateTrigger(subject) },
    { name: triggerName('d', table.tbl), sql: deleteTrigger(subject) },
    ...watchTriggers(db, {
      names: { insert: triggerName('w', table.tbl), update: triggerName('p', table.tbl) },
      subject,
    }),
  ];
}

/** The update trigger that a table should have once a column is beside those that it has; null where it has none. */
export function updateTriggerBeside(
  db: StoreDatabase,
  table: TrackedTable,
  added: Pick<ColumnFacts, 'name' | 'keepsClasses'> & { readonly col: number },
): string | null {
  const facts = table.name === null ? null : readTableFacts(db, table.name);
  if (facts === null || table.kind === TABLE_KIND.noKey) return null;
  const subject = createSubject(table, facts);
  return updateTrigger({ ...subject, columns: [...subject.columns, { col: added.col, facts: added }] });
}

const triggerName = (letter: TriggerLetter, tbl: number): string => `_concord_${letter}_${tbl}`;

/** What all of them need to know of a table. */
export interface CaptureSubject {
  readonly tbl: number;
  readonly name: string;
  readonly kind: TrackedTable['kind'];
  readonly key: TrackedTable['key'];
  /** Columns that are compared on UPDATE, with what SQLite says of them. */
  readonly columns: readonly {
    readonly col: number;
    readonly facts: Pick<ColumnFacts, 'name' | 'keepsClasses'>;
  }[];
  readonly uniques: readonly UniqueFacts[];
  readonly table: TableFacts;
  /** SQL of a row's place, with `new.`, `old.` or `t.` in front of its columns. */
  readonly rid: (prefix: string) => string;
  readonly keyOf: (prefix: string) => string;
}

function createSubject(table: TrackedTable, facts: TableFacts): CaptureSubject {
  const factsByName = new Map(facts.columns.map((column) => [column.name, column]));
  const keyOf = (prefix: string): string => keyExpression(table.key, prefix, 'trigger');
  const isByKey = table.kind === TABLE_KIND.withoutRowid;
  return {
    tbl: table.tbl,
    name: quoteIdentifier(facts.name),
    kind: table.kind,
    key: table.key,
    columns: table.columns.flatMap(({ col, name }) => {
      const column = factsByName.get(name);
      return column === undefined ? [] : [{ col, facts: column }];
    }),
    uniques: facts.uniques,
    table: facts,
    rid: (prefix) => (isByKey ? keyOf(prefix) : prefix + table.ridExpression),
    keyOf,
  };
}

/**
 * Rows beyond the mark are not recorded one by one: the first marks the table, and the notice records them all as one
 * range. Rows at or below it (explicit or reused rowids, and the slack) have an entry each.
 */
function insertTrigger(subject: CaptureSubject): string {
  const { tbl, name, rid } = subject;
  const place = rid('new.');
  const head = `create trigger ${triggerName('i', tbl)} after insert on ${name}`;
  const entry = `insert into _concord_log (kind, tbl, rid, hlc) select ${LOG_KIND.insert}, ${tbl}, ${place}, ${TRIGGER_TIME} from _concord_state`;
  if (subject.kind === TABLE_KIND.withoutRowid) {
    return `${head} begin ${entry} where capture = 1 and ${place} is not null; end`;
  }
  const sealed = `(select sealed from _concord_mark where tbl = ${tbl})`;
  return (
    `${head} when ${place} <= (select hi from _concord_mark where tbl = ${tbl}) begin` +
    ` ${entry} where capture = 1 and ${place} <= ${sealed};` +
    ` update _concord_mark set hi = sealed where tbl = ${tbl} and hi > sealed and sealed < ${place}` +
    ` and (select capture from _concord_state) = 1; end`
  );
}

/** One entry per changed row, with a bit per column that differs by even a byte or a storage class. */
function updateTrigger(subject: CaptureSubject): string {
  const { tbl, name, rid } = subject;
  const chunks = chunkColumns(subject);
  const isMoved = movedExpression(subject);
  const first = chunks.find(({ base }) => base === 0) ?? { base: 0, changes: [] };
  const rest = chunks.filter(({ base }) => base > 0);
  const keyWas = `case when ${keyDiffersExpression(subject.key, 'old.', 'new.')} then ${subject.keyOf('old.')} end`;
  const changesOf = (chunk: Chunk): string => chunk.changes.map(({ differs }) => differs).join(' or ') || '0';
  // SQLite bounds the depth of expressions, so a wide table tests chunk by chunk instead of once for all.
  const isTouched = [...first.changes.map(({ differs }) => differs), ...rowidDiffers(subject)].join(' or ');
  const when = rest.length === 0 ? ` when ${isTouched}` : '';
  const guard = rest.length === 0 ? '' : ` and (${isTouched} or ${isMoved})`;
  const entry = `insert into _concord_log (kind, tbl, rid, mask, hi, key, was, hlc) select ${LOG_KIND.update}, ${tbl}, ${rid('new.')}`;
  const head = `create trigger ${triggerName('u', tbl)} after update on ${name}${when} begin`;
  const body = [
    `${entry}, ${maskOf(first)}, 0, ${keyWas}, case when ${isMoved} then ${rid('old.')} end, ${TRIGGER_TIME} from _concord_state where capture = 1${guard};`,
    ...rest.map(
      (chunk) =>
        `${entry}, ${maskOf(chunk)}, ${chunk.base}, null, null, ${TRIGGER_TIME} from _concord_state where capture = 1 and (${changesOf(chunk)});`,
    ),
    ...markMoved(subject, isMoved),
  ];
  return `${head} ${body.join(' ')} end`;
}

/**
 * A row that moves beyond the mark is covered by this notice's range, like one that is inserted there: no place beyond
 * a mark keeps an entry over a notice, which a REPLACE could strand there unseen.
 */
function markMoved({ tbl, kind, rid }: CaptureSubject, isMoved: string): readonly string[] {
  if (kind === TABLE_KIND.withoutRowid) return [];
  return [
    `update _concord_mark set hi = sealed where ${isMoved} and tbl = ${tbl} and hi > sealed and sealed < ${rid('new.')}` +
      ` and (select capture from _concord_state) = 1;`,
  ];
}

/** True where the row changed its place or its identity. */
function movedExpression(subject: CaptureSubject): string {
  const keyDiffers = keyDiffersExpression(subject.key, 'old.', 'new.');
  return `(${[keyDiffers, ...rowidDiffers(subject)].join(' or ')})`;
}

/** A rowid beside the key can change alone; every other change of place shows in a column. */
const rowidDiffers = ({ kind, rid }: CaptureSubject): readonly string[] =>
  kind === TABLE_KIND.rowid ? [`${rid('old.')} <> ${rid('new.')}`] : [];

interface Chunk {
  /** First ordinal that the chunk's mask speaks of. */
  readonly base: number;
  readonly changes: readonly { readonly bit: number; readonly differs: string }[];
}

function chunkColumns({ columns }: CaptureSubject): readonly Chunk[] {
  const chunks = new Map<number, { bit: number; differs: string }[]>();
  for (const { col, facts } of columns) {
    const base = Math.floor(col / MASK_COLUMNS) * MASK_COLUMNS;
    const changes = chunks.get(base) ?? [];
    changes.push({ bit: col - base, differs: differsExpression(facts) });
    chunks.set(base, changes);
  }
  return [...chunks].map(([base, changes]) => ({ base, changes }));
}

/** Exact difference: BINARY, whatever the column's collation, and by storage class where 1 and 1.0 can both be stored. */
function differsExpression({ name, keepsClasses }: Pick<ColumnFacts, 'name' | 'keepsClasses'>): string {
  const column = quoteIdentifier(name);
  const differs = `old.${column} is not new.${column} collate binary`;
  return keepsClasses ? `(${differs} or typeof(old.${column}) <> typeof(new.${column}))` : differs;
}

const maskOf = ({ changes }: Chunk): string =>
  changes.map(({ bit, differs }) => `((${differs}) << ${bit})`).join(' | ') || '0';

function deleteTrigger({ tbl, name, rid, keyOf }: CaptureSubject): string {
  return (
    `create trigger ${triggerName('d', tbl)} after delete on ${name} begin` +
    ` insert into _concord_log (kind, tbl, rid, key, hlc) select ${LOG_KIND.delete}, ${tbl}, ${rid('old.')}, ${keyOf('old.')},` +
    ` ${TRIGGER_TIME} from _concord_state where capture = 1; end`
  );
}
