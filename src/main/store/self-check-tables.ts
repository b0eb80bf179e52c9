import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { captureTriggers, isSameTrigger } from './capture-triggers.ts';
import { keyExpression } from './key-expression.ts';
import { keyLookup } from './key-lookup.ts';
import { CLEAN_MARK } from './metadata-schema.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import { readTableFacts, TABLE_KIND } from './table-facts.ts';
import type { TableRegistry, TrackedTable } from './table-registry.ts';

const when = (holds: boolean, sentence: string): readonly string[] => (holds ? [sentence] : []);

/** Looks for contradictions between the tables and what is recorded of them: one sentence per problem. */
export function checkTables(db: StoreDatabase, registry: TableRegistry): readonly string[] {
  const triggers = db
    .prepareRaw<[], [string, string]>(
      `select name, sql from sqlite_schema where type = 'trigger' and name like '\\_concord\\_%' escape '\\'`,
    )
    .all();
  const stored = new Map(triggers);
  return [
    ...registry.all().flatMap((table) => checkTable(db, table, stored)),
    ...checkStrayTriggers(db, registry),
  ];
}

function checkTable(
  db: StoreDatabase,
  table: TrackedTable,
  triggers: ReadonlyMap<string, string>,
): readonly string[] {
  if (table.name === null) return [];
  const facts = readTableFacts(db, table.name);
  if (facts === null)
    return [
      `Table ${quoteIdentifier(table.name)} is kept track of and is not in the file. Look at its history, and create it again if it was not meant to go.`,
    ];
  const names = new Set(facts.columns.map(({ name }) => name));
  const missing = table.columns.filter(({ name }) => !names.has(name));
  return [
    ...missing.map(
      ({ name }) =>
        `Column ${name} of ${quoteIdentifier(facts.name)} is kept track of and is not in the table. Look at its history, and add it again if it was not meant to go.`,
    ),
    ...when(
      facts.kind !== table.kind,
      `The key of ${quoteIdentifier(facts.name)} is not the one that is kept track of. Alter keys through Concord.`,
    ),
    ...(missing.length === 0 ? checkTriggers(db, table, triggers) : []),
    ...(table.kind === TABLE_KIND.rowid || table.kind === TABLE_KIND.integerKey ? checkMark(db, table) : []),
    ...(table.key.length > 0 && missing.length === 0
      ? [...checkLives(db, table), ...checkClocks(db, table)]
      : []),
  ];
}

function checkTriggers(
  db: StoreDatabase,
  table: TrackedTable,
  stored: ReadonlyMap<string, string>,
): readonly string[] {
  return captureTriggers(db, table).flatMap(({ name, sql }) => {
    const text = stored.get(name);
    if (text === undefined)
      return [
        `Trigger ${name} of ${quoteIdentifier(table.name ?? '')} is missing: its changes go unrecorded. Open the replica anew, which takes up all its rows again and puts the trigger back.`,
      ];
    return when(
      !isSameTrigger(text, sql),
      `Trigger ${name} of ${quoteIdentifier(table.name ?? '')} was altered: what it records cannot be relied on. Drop it, and open the replica anew.`,
    );
  });
}

function checkStrayTriggers(db: StoreDatabase, registry: TableRegistry): readonly string[] {
  const live = new Set(registry.all().flatMap(({ tbl, name }) => (name === null ? [] : [tbl])));
  return db
    .preparePluck<[], string>(
      `select name from sqlite_schema where type = 'trigger' and name like '\\_concord\\_%' escape '\\'`,
    )
    .all()
    .filter((name) => !live.has(Number(name.split('_').at(-1))))
    .map((name) => `Trigger ${name} belongs to no table that is kept track of. Drop it.`);
}

function checkMark(db: StoreDatabase, table: TrackedTable): readonly string[] {
  const name = quoteIdentifier(table.name ?? '');
  const mark = db.prepareRaw<[number]>(`select hi, sealed from _concord_mark where tbl = ?`).get(table.tbl);
  if (mark === undefined)
    return [
      `Table ${name} has no mark: its inserts go unrecorded. Drop one of its triggers that begin with _concord_ and open the replica anew.`,
    ];
  const [hi, sealed] = mark.map(toBigInt);
  const covered = db
    .preparePluck<[number]>(`select max(hi) from _concord_range where tbl = ?`)
    .get(table.tbl);
  const newest = db.preparePluck<[]>(`select max(${table.ridExpression}) from ${name}`).get();
  const isUnrecorded = typeof newest === 'bigint' && newest > (sealed ?? 0n) && hi === CLEAN_MARK;
  const isBelow = typeof covered === 'bigint' && covered > (sealed ?? 0n);
  return [
    ...when(isBelow, `The mark of ${name} is below rows that a range covers. ${WRITE_AGAIN}`),
    ...when(isUnrecorded, `Table ${name} has rows beyond its mark that nothing recorded. ${WRITE_AGAIN}`),
  ];
}

function checkLives(db: StoreDatabase, table: TrackedTable): readonly string[] {
  const name = quoteIdentifier(table.name ?? '');
  // The other way round is no contradiction: a returned row may be held, for a unique key that is taken.
  const undead = db
    .preparePluck<[number]>(
      `select count(*) from _concord_life as y where y.tbl = ? and y.life % 2 = 0
         and exists (select 1 from ${name} as t where ${keyLookup(table.key, 't.', 'y.key')})`,
    )
    .get(table.tbl);
  return when(
    toNumber(undead) > 0,
    `${String(undead)} rows of ${name} are there and recorded as deleted. ${WRITE_AGAIN}`,
  );
}

/** What to do about rows of which the record says something else. */
const WRITE_AGAIN = `They were written while nothing was captured: delete and insert them again through Concord.`;

/** Each row has a clock, and each clock of a row has its row. */
function checkClocks(db: StoreDatabase, table: TrackedTable): readonly string[] {
  const name = quoteIdentifier(table.name ?? '');
  const isByKey = table.kind === TABLE_KIND.withoutRowid;
  const key = keyExpression(table.key, 't.');
  const rid = isByKey ? key : `t.${table.ridExpression}`;
  const covered = isByKey
    ? `exists (select 1 from _concord_range as g where g.tbl = @tbl)`
    : `coalesce((select g.hi >= ${rid} from _concord_range as g where g.tbl = @tbl and g.lo <= ${rid} order by g.lo desc limit 1), 0)`;
  const unrecorded = db
    .preparePluck<{ readonly tbl: number }[]>(
      `select count(*) from ${name} as t where ${key} is not null and not ${covered}
         and not exists (select 1 from _concord_cell as c where c.tbl = @tbl and c.rid = +${rid} and c.col = -1)`,
    )
    .get({ tbl: table.tbl });
  return [
    ...when(
      toNumber(unrecorded) > 0,
      `${String(unrecorded)} rows of ${name} are not recorded. ${WRITE_AGAIN}`,
    ),
    ...checkGone(db, table),
  ];
}

/**
 * Rows that are recorded and not there. Only where the place of a row is its key: a REPLACE by the key of another table gives
 * the row a new place and leaves no trace at the old one.
 */
function checkGone(db: StoreDatabase, table: TrackedTable): readonly string[] {
  if (table.kind === TABLE_KIND.rowid) return [];
  const name = quoteIdentifier(table.name ?? '');
  const there =
    table.kind === TABLE_KIND.withoutRowid
      ? keyLookup(table.key, 't.', 'c.rid')
      : `t.${table.ridExpression} = c.rid`;
  const gone = db
    .preparePluck<{ readonly tbl: number }[]>(
      `select count(distinct c.rid) from _concord_cell as c where c.tbl = @tbl
         and not exists (select 1 from ${name} as t where ${there})
         and not exists (select 1 from _concord_life as y where y.tbl = @tbl and y.key = c.rid and y.life % 2 = 0)`,
    )
    .get({ tbl: table.tbl });
  return when(
    toNumber(gone) > 0,
    `${String(gone)} rows that are recorded of ${name} are not there, and not recorded as deleted. They went while nothing was captured: insert and delete them again through Concord, or let peers bring them back by writing to them there.`,
  );
}
