import { PEER_CAUSES } from './blocked-batches.ts';
import { readFoldedSeq } from './log-fold.ts';
import { LOG_KIND, ROW_KINDS } from './metadata-schema.ts';
import { checkTables } from './self-check-tables.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TableRegistry } from './table-registry.ts';

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
    ...checkHistory(db),
    ...checkPeers(db),
    ...checkTables(db, registry),
  ];
}

/**
 * The part of the check that costs the same at any size, for every opening: whether anything is captured at all, and whether the
 * file knows who it is.
 */
export function checkCheaply(db: StoreDatabase): readonly string[] {
  return [...checkState(db), ...checkEras(db)];
}

const MAKE_ANEW =
  'Put a copy of the file back from before, or make the replica anew from one that is sound; its tables can be read meanwhile.';

const count = (db: StoreDatabase, sql: string): number => toNumber(db.preparePluck<[]>(sql).get() ?? 0n);

const when = (holds: boolean, sentence: string): readonly string[] => (holds ? [sentence] : []);

function checkState(db: StoreDatabase): readonly string[] {
  const capture = db.preparePluck<[]>(`select capture from _concord_state`).all();
  const sites = count(db, `select count(*) from _concord_site where id = 1`);
  const described = count(db, `select count(*) from _concord_meta where key in ('format', 'epoch')`);
  return [
    ...when(capture.length !== 1, `The state row is missing: triggers record nothing. ${MAKE_ANEW}`),
    ...when(
      capture.length === 1 && capture[0] !== 1n,
      'Capture is off outside of an admission: what was written since is not recorded. Compare this replica with another, and write again what differs.',
    ),
    ...when(sites !== 1, `The replica has no site ID. ${MAKE_ANEW}`),
    ...when(described !== 2, `The replica has no format or no epoch. ${MAKE_ANEW}`),
  ];
}

function checkEras(db: StoreDatabase): readonly string[] {
  const newest = db
    .prepareRaw<[]>(
      `select n.first_seq, p.first_seq from _concord_era as n left join _concord_era as p on p.n < n.n order by n.n desc, p.n desc limit 1`,
    )
    .get();
  const [first, before] = newest ?? [];
  const isBackwards = typeof first === 'bigint' && typeof before === 'bigint' && first < before;
  return when(
    isBackwards,
    `The log ends before the place where it ended at the opening before. ${MAKE_ANEW}`,
  );
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
    `select count(*) from _concord_log where kind not between ${LOG_KIND.insert} and ${LOG_KIND.replacement}
       or (site is not null and site not in (select id from _concord_site))
       or (via is not null and via not in (select id from _concord_site))
       or (tbl is not null and tbl not in (select tbl from _concord_table))`,
  );
  return [
    ...when(
      folded > head,
      `The log is folded up to ${folded}, beyond its newest entry ${head}. ${MAKE_ANEW}`,
    ),
    ...when(backwards > 0, `The clock went back at ${backwards} notices of the log. ${MAKE_ANEW}`),
    ...when(
      strangers > 0,
      `${strangers} entries of the log speak of a kind, site or table that is not known. ${MAKE_ANEW}`,
    ),
  ];
}

/** What each derived clock may point at, and whether of the same table. */
const DERIVED = [
  { what: 'range', kinds: [LOG_KIND.range, LOG_KIND.baseline] },
  { what: 'cell', kinds: [LOG_KIND.insert, LOG_KIND.update] },
  { what: 'life', kinds: ROW_KINDS },
  { what: 'former', kinds: [LOG_KIND.delete, LOG_KIND.update, LOG_KIND.watch] },
] as const;

function checkReferences(db: StoreDatabase): readonly string[] {
  return DERIVED.flatMap(({ what, kinds }) => {
    const missing = count(
      db,
      `select count(*) from _concord_${what} as d where not exists (
         select 1 from _concord_log as l where l.seq = d.seq and l.tbl = d.tbl and l.kind in (${kinds.join(', ')}))`,
    );
    return when(
      missing > 0,
      `${missing} entries of _concord_${what} point at log entries that are not there, or speak of something else. ${MAKE_ANEW}`,
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
    ...when(overlaps > 0, `${overlaps} ranges of rowids overlap another. ${MAKE_ANEW}`),
    ...when(reversed > 0, `${reversed} ranges of rowids end before they begin. ${MAKE_ANEW}`),
  ];
}

/** What is in force has an entry by which it is offered, and elements and objects lead to migrations that are there. */
function checkHistory(db: StoreDatabase): readonly string[] {
  const unoffered = count(
    db,
    `select count(*) from _concord_migration where in_force = 1 and n not in (
       select rid from _concord_log where kind = ${LOG_KIND.migration})`,
  );
  const unfounded = count(
    db,
    `select count(*) from _concord_object where migration not in (select n from _concord_migration)`,
  );
  return [
    ...when(unoffered > 0, `${unoffered} migrations in force are in no log: no peer gets them. ${MAKE_ANEW}`),
    ...when(
      unfounded > 0,
      `${unfounded} indexes, views or triggers are recorded without a creation. ${MAKE_ANEW}`,
    ),
  ];
}

/** Watermarks of peers that are known, and lines that stand at them. */
function checkPeers(db: StoreDatabase): readonly string[] {
  const strangers = count(
    db,
    `select count(*) from (select site from _concord_peer union select site from _concord_staged union select site from _concord_blocked)
     where site not in (select id from _concord_site)`,
  );
  const nowhere = count(db, `select count(*) from _concord_peer where epoch is null and seq > 0`);
  const passed = count(
    db,
    `select count(*) from _concord_blocked as b join _concord_peer as p on p.site = b.site
     where p.epoch is not null and coalesce(p.inside, '') not like 'again:%' and b.unit_seq < p.seq
       and b.cause not in (${PEER_CAUSES})`,
  );
  return [
    ...when(
      strangers > 0,
      `${strangers} peers are kept track of under a site that is not known. ${MAKE_ANEW}`,
    ),
    ...when(
      nowhere > 0,
      `${nowhere} peers have a watermark without the file that it speaks of. ${MAKE_ANEW}`,
    ),
    ...when(passed > 0, `${passed} blocked batches lie before the watermark of their peer. Retry them.`),
  ];
}
