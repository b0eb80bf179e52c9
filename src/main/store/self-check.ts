import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { captureTriggers, isSameTrigger } from './capture-triggers.ts';
import { keyLookup } from './key-lookup.ts';
import { readFoldedSeq } from './log-fold.ts';
import { CLEAN_MARK, LOG_KIND } from './metadata-schema.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import { readTableFacts, TABLE_KIND } from './table-facts.ts';
import type { TableRegistry, TrackedTable } from './table-registry.ts';

/**
 * Looks for contradictions in a replica's bookkeeping, and between it and the tables. Reads all of it once; writes
 * nothing. Runs after a fold, in the same transaction.
 *
 * Gives one sentence per problem; empty when all is sound.
 */
export function checkFile(db: StoreDatabase, registry: TableRegistry): readonly string[] {
  return [
    ...checkState(db),
    ...checkLog(db),
    ...checkReferences(db),
    ...checkRanges(db),
    ...checkTables(db, registry),
    ...checkStrayTriggers(db, registry),
  ];
}

const count = (db: StoreDatabase, sql: string): number => toNumber(db.preparePluck<[]>(sql).get() ?? 0n);

const when = (holds: boolean, sentence: string): readonly string[] => (holds ? [sentence] : []);

function checkState(db: StoreDatabase): readonly string[] {
  const capture = db.preparePluck<[]>(`select capture from _concord_state`).all();
  const sites = count(db, `select count(*) from _concord_site where id = 1`);
  const described = count(db, `select count(*) from _concord_meta where key in ('format', 'epoch')`);
  return [
    ...when(capture.length !== 1, 'The state row is missing: triggers record nothing.'),
    ...when(
      capture.length === 1 && capture[0] !== 1n,
      'Capture is off outside of an admission: changes go unrecorded.',
    ),
    ...when(sites !== 1, 'The replica has no site ID.'),
    ...when(described !== 2, 'The replica has no format or no epoch.'),
  ];
}

function checkLog(db: StoreDatabase): readonly string[] {
  const head = count(db, `select coalesce(max(seq), 0) from _concord_log`);
  const folded = readFoldedSeq(db);
  const backwards = count(
    db,
    `select count(*) from (select hlc, lag(hlc) over (order by seq) as before from _concord_log where kind = ${LOG_KIND.notice})
     where hlc < before`,
  );
  const strangers = count(
    db,
    `select count(*) from _concord_log where kind not between ${LOG_KIND.insert} and ${LOG_KIND.held}
       or (site is not null and site not in (select id from _concord_site))
       or (via is not null and via not in (select id from _concord_site))
       or (tbl is not null and tbl not in (select tbl from _concord_table))`,
  );
  return [
    ...when(folded > head, `The log is folded up to ${folded}, beyond its newest entry ${head}.`),
    ...when(backwards > 0, `The clock went back at ${backwards} notices.`),
    ...when(
      strangers > 0,
      `${strangers} entries of the log speak of a kind, site or table that is not known.`,
    ),
  ];
}

function checkReferences(db: StoreDatabase): readonly string[] {
  return ['range', 'cell', 'life', 'former'].flatMap((what) => {
    const missing = count(
      db,
      `select count(*) from _concord_${what} as d where not exists (select 1 from _concord_log as l where l.seq = d.seq)`,
    );
    return when(
      missing > 0,
      `${missing} entries of _concord_${what} point at log entries that are not there.`,
    );
  });
}

function checkRanges(db: StoreDatabase): readonly string[] {
  const overlaps = count(
    db,
    `select count(*) from (select lo, lag(hi) over (partition by tbl order by lo) as before from _concord_range)
     where before >= lo`,
  );
  const reversed = count(db, `select count(*) from _concord_range where hi < lo`);
  return [
    ...when(overlaps > 0, `${overlaps} ranges of rowids overlap another.`),
    ...when(reversed > 0, `${reversed} ranges of rowids end before they begin.`),
  ];
}

function checkTables(db: StoreDatabase, registry: TableRegistry): readonly string[] {
  const triggers = db
    .prepareRaw<[], [string, string]>(
      `select name, sql from sqlite_schema where type = 'trigger' and name like '\\_concord\\_%' escape '\\'`,
    )
    .all();
  const stored = new Map(triggers);
  return registry.all().flatMap((table) => checkTable(db, table, stored));
}

function checkTable(
  db: StoreDatabase,
  table: TrackedTable,
  triggers: ReadonlyMap<string, string>,
): readonly string[] {
  if (table.name === null) return [];
  const facts = readTableFacts(db, table.name);
  if (facts === null)
    return [`Table ${quoteIdentifier(table.name)} is kept track of and is not in the file.`];
  const names = new Set(facts.columns.map(({ name }) => name));
  const missing = table.columns.filter(({ name }) => !names.has(name));
  return [
    ...missing.map(
      ({ name }) =>
        `Column ${name} of ${quoteIdentifier(facts.name)} is kept track of and is not in the table.`,
    ),
    ...when(
      facts.kind !== table.kind,
      `The key of ${quoteIdentifier(facts.name)} is not the one that is kept track of.`,
    ),
    ...(missing.length === 0 ? checkTriggers(db, table, triggers) : []),
    ...(table.kind === TABLE_KIND.rowid || table.kind === TABLE_KIND.integerKey ? checkMark(db, table) : []),
    ...(table.key.length > 0 && missing.length === 0 ? checkLives(db, table) : []),
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
        `Trigger ${name} of ${quoteIdentifier(table.name ?? '')} is missing: its changes go unrecorded.`,
      ];
    return when(
      !isSameTrigger(text, sql),
      `Trigger ${name} of ${quoteIdentifier(table.name ?? '')} was altered.`,
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
    .map((name) => `Trigger ${name} belongs to no table that is kept track of.`);
}

function checkMark(db: StoreDatabase, table: TrackedTable): readonly string[] {
  const name = quoteIdentifier(table.name ?? '');
  const mark = db.prepareRaw<[number]>(`select hi, sealed from _concord_mark where tbl = ?`).get(table.tbl);
  if (mark === undefined) return [`Table ${name} has no mark: its inserts go unrecorded.`];
  const [hi, sealed] = mark.map(toBigInt);
  const covered = db
    .preparePluck<[number]>(`select max(hi) from _concord_range where tbl = ?`)
    .get(table.tbl);
  const newest = db.preparePluck<[]>(`select max(${table.ridExpression}) from ${name}`).get();
  const isUnrecorded = typeof newest === 'bigint' && newest > (sealed ?? 0n) && hi === CLEAN_MARK;
  const isBelow = typeof covered === 'bigint' && covered > (sealed ?? 0n);
  return [
    ...when(isBelow, `The mark of ${name} is below rows that a range covers.`),
    ...when(isUnrecorded, `Table ${name} has rows beyond its mark that nothing recorded.`),
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
  return when(toNumber(undead) > 0, `${String(undead)} rows of ${name} are there and recorded as deleted.`);
}
