import type { Stamp } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import { settleClaims, type Claimant, type Collision } from '../engine/merge/settle-claims.ts';
import { admitBlock } from './admission-block.ts';
import type { Admission } from './admission-context.ts';
import { isFormerlyDeleted } from './admission-former-key.ts';
import { deleteQuietly, findRowByKey, selectRows, type LocalRow } from './admission-row-read.ts';
import { localLifeOf } from './admission-row-write.ts';
import { collisionsWithin, collisionsWithTable, createMirror, insertIntoMirror } from './claim-mirror.ts';
import { releaseHeld } from './held-entries.ts';
import { encodeKeyPart } from './key-encoding.ts';
import { keyValueOf, type KeyValue } from './key-expression.ts';
import { decodeKey } from './key-lookup.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { rowAsState } from './row-as-fact.ts';
import type { RowState } from './row-state.ts';
import { besideTriggers, silenceTriggers } from './silence-triggers.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import { readUniqueKeys, type UniqueKey } from './unique-keys.ts';
import { letWait, planRowState, readCollidingRows, type WaitingRow } from './waiting-row.ts';

/**
 * Settles which rows of a table keep its unique keys: those that wait for one, and those that stand in their way, by the
 * rule of `settleClaims`. Rows that lose go to held, rows that win come into the table, each with its stamps; what goes on
 * waiting learns who has the key that it wants.
 *
 * Runs inside an admission, once all that it brings is in. Reads only the rows that wait and those that they collide with.
 */
export function settleCollisions(admission: Admission, tbl: number): void {
  const table = admission.store.registry.byTbl(tbl);
  if (typeof table?.name !== 'string' || table.kind === TABLE_KIND.noKey) return;
  if (admission.store.setAside().has(table.id)) return;
  const waiting = candidatesOf(admission, table);
  const mirror = waiting.length === 0 ? null : createMirror(admission, table);
  if (mirror === null) return;
  const keys = readUniqueKeys(admission.store, table);
  const candidates = waiting.filter((row, n) => {
    const { planned } = planRowState(admission.store, table, row.state);
    const reason = insertIntoMirror(admission, mirror, { n, planned, keys });
    if (reason !== null) waitForValue(admission, row, reason);
    return reason === null;
  });
  carryOut(admission, table, contestOf(admission, { table, keys, mirror, waiting, candidates }));
}

/**
 * Notes the tables in which programs deleted or changed rows here in a stretch of the log, as far as rows wait for their
 * unique keys. A row that was inserted has what nobody else wants: it frees nothing.
 */
export function touchFreedKeys(
  admission: Admission,
  stretch: { readonly from: number; readonly to: number },
): void {
  const { db } = admission.store;
  const waiting = db
    .preparePluck<[], bigint>(
      `select distinct t.tbl from _concord_held as h cross join _concord_table as t on t.id = h.table_id where h.reason = 'uniqueCollision'`,
    )
    .all();
  const isFreed = db.preparePluck<unknown[]>(
    `select 1 from _concord_log where seq > ? and seq <= ? and tbl = ? and kind in (${FREEING.join(', ')}) limit 1`,
  );
  for (const tbl of waiting) {
    if (isFreed.get(stretch.from, stretch.to, tbl) !== undefined) admission.touchedKeys.add(Number(tbl));
  }
}

const FREEING = [LOG_KIND.update, LOG_KIND.delete, LOG_KIND.watch];

/**
 * Rows that wait for a key, and for nothing else: those that were written or deleted in the table meanwhile have joined
 * what is there.
 */
function candidatesOf(admission: Admission, table: TrackedTable): readonly WaitingRow[] {
  const waiting = readCollidingRows(admission.store, table);
  const overtaken = waiting.filter((row) => isOvertaken(admission, table, row));
  if (overtaken.length === 0) return waiting;
  for (const row of overtaken) takeInAgain(admission, table, row);
  return readCollidingRows(admission.store, table).filter((row) => !isOvertaken(admission, table, row));
}

function isOvertaken(admission: Admission, table: TrackedTable, row: WaitingRow): boolean {
  const { planned } = planRowState(admission.store, table, row.state);
  if (planned.plan.keyPlaces === null || isFormerlyDeleted(admission, planned, 0)) return true;
  const isHere = findRowByKey(admission, table, decodeKey(table, row.identity)) !== null;
  return isHere || row.state.life < localLifeOf(admission, table.tbl, { key: row.identity, isHere });
}

function takeInAgain(admission: Admission, table: TrackedTable, row: WaitingRow): void {
  const { fact } = planRowState(admission.store, table, row.state);
  releaseHeld(admission, row.n);
  admitBlock(
    {
      ...admission,
      via: row.via,
      acceptsOwn: true,
      originOf: (group, hlc, site) => ({ ...admission.originOf(group, hlc, site), via: row.via }),
    },
    fact.group,
    fact.block,
  );
}

/** What a row lacks comes before what it collides with: without it nobody would be displaced by it. */
function waitForValue({ store }: Admission, row: WaitingRow, reason: HeldReason): void {
  store.db
    .prepare<[string, bigint]>(`update _concord_held set reason = ?, rival = null where n = ?`)
    .run(reason, BigInt(row.n));
}

/** The rows that take part: those that wait, then those that stand in their way. */
interface Contest {
  readonly rows: readonly Contestant[];
  readonly collisions: readonly Collision[];
}

interface Contestant extends Claimant {
  readonly identityHere: KeyValue | null;
  /** Where it waits; null of a row that stands in the table. */
  readonly waiting: WaitingRow | null;
  readonly local: LocalRow | null;
}

function contestOf(
  admission: Admission,
  input: {
    readonly table: TrackedTable;
    readonly keys: readonly UniqueKey[];
    readonly mirror: string;
    /** By their numbers in the mirror. */
    readonly waiting: readonly WaitingRow[];
    readonly candidates: readonly WaitingRow[];
  },
): Contest {
  const { table, keys, mirror, waiting, candidates } = input;
  const { db } = admission.store;
  const claimed = new Set(keys.flatMap(({ columns }) => [...columns]));
  const rows: Contestant[] = candidates.map((row) => waitingContestant(table, row, claimed));
  const placeOf = new Map(candidates.map((row, at) => [waiting.indexOf(row), at]));
  const localPlaces = new Map<string, number>();
  const placeOfLocal = (rid: KeyValue): number => {
    const name = `${typeof rid} ${rid instanceof Uint8Array ? Buffer.from(rid).toString('hex') : String(rid)}`;
    const known = localPlaces.get(name);
    if (known !== undefined) return known;
    rows.push(localContestant(admission, table, { rid, claimed }));
    localPlaces.set(name, rows.length - 1);
    return rows.length - 1;
  };
  const collisions = keys.flatMap((key) => [
    ...collisionsWithin(db, mirror, key).map(([left, right]) => ({
      left: placeOf.get(left) ?? -1,
      right: placeOf.get(right) ?? -1,
      key: key.label,
    })),
    ...collisionsWithTable(db, mirror, { table, key }).map(([n, rid]) => ({
      left: placeOf.get(n) ?? -1,
      right: placeOfLocal(rid),
      key: key.label,
    })),
  ]);
  return { rows, collisions };
}

const NOBODY = '' as SiteId;
const UNWRITTEN: Stamp = { hlc: 0n, site: NOBODY };

/** What nobody wrote has no author, on every replica alike. */
const latest = (stamps: readonly Stamp[]): Stamp =>
  stamps.reduce(
    (left, right) => (right.hlc !== 0n && compareStamps(right, left) > 0 ? right : left),
    UNWRITTEN,
  );

function waitingContestant(table: TrackedTable, row: WaitingRow, claimed: ReadonlySet<number>): Contestant {
  const stampOf = (id: string): readonly Stamp[] => {
    const cell = row.state.cells.get(id);
    return cell === undefined ? [] : [cell.stamp];
  };
  return {
    claim: latest(table.columns.flatMap(({ col, id }) => (claimed.has(col) ? stampOf(id) : []))),
    written: latest(table.columns.flatMap(({ pk, id }) => (pk === 0 ? stampOf(id) : []))),
    identity: textOf(table, row.identity),
    identityHere: row.identity,
    waiting: row,
    local: null,
  };
}

function localContestant(
  admission: Admission,
  table: TrackedTable,
  { rid, claimed }: { readonly rid: KeyValue; readonly claimed: ReadonlySet<number> },
): Contestant {
  const local = localAt(admission, table, rid);
  const key = keyValueOf(
    table,
    table.key.map((column) => local.values[table.columns.indexOf(column)] ?? null),
  );
  const clocks = admission.store.clocks.row(table.tbl, local.rid);
  // A row without a key stays here: nobody else knows of it, so it keeps what it has.
  const isOwn = key === null;
  return {
    claim: isOwn
      ? UNWRITTEN
      : latest(table.columns.flatMap((column) => (claimed.has(column.col) ? [clocks.cell(column)] : []))),
    written: isOwn
      ? UNWRITTEN
      : latest(table.columns.flatMap((column) => (column.pk === 0 ? [clocks.cell(column)] : []))),
    identity: key === null ? '' : textOf(table, key),
    identityHere: key,
    waiting: null,
    local,
  };
}

function localAt(admission: Admission, table: TrackedTable, rid: KeyValue): LocalRow {
  const row =
    table.kind === TABLE_KIND.withoutRowid
      ? findRowByKey(admission, table, decodeKey(table, rid))
      : selectRows(admission, table, { where: `${table.ridExpression} = ?`, values: [rid] })[0];
  if (row === undefined || row === null)
    throw new Error(`A row of ${table.name ?? ''} went while it was looked at.`);
  return row;
}

const textOf = (table: TrackedTable, identity: KeyValue): string =>
  table.key.length > 1 ? String(identity) : encodeKeyPart(identity);

function carryOut(admission: Admission, table: TrackedTable, { rows, collisions }: Contest): void {
  const leftOut = settleClaims(rows, collisions);
  const displaced = rows.filter((row, place) => row.local !== null && leftOut.has(place));
  const freed = rows.flatMap(({ waiting }, place) =>
    waiting === null || leftOut.has(place) ? [] : [waiting],
  );
  silenceTriggers(admission, table.name ?? '');
  besideTriggers(admission, table.name ?? '', () => {
    for (const { local } of displaced) if (local !== null) displace(admission, table, local);
  });
  for (const row of freed) takeInAgain(admission, table, row);
  for (const [place, rival] of leftOut) {
    noteRival(admission, table, {
      identity: rows[place]?.identityHere ?? null,
      rival: rows[rival.row]?.identityHere ?? null,
      key: rival.key,
    });
  }
}

/** Takes a row out of its table into held, with its stamps. */
function displace(admission: Admission, table: TrackedTable, local: LocalRow): void {
  const state: RowState = rowAsState(admission, table, local);
  deleteQuietly(admission, table, local);
  letWait(admission, table, { row: state, reason: 'uniqueCollision' });
}

/** Which row has the key that a row waits for. */
function noteRival(
  { store }: Admission,
  table: TrackedTable,
  collision: { readonly identity: KeyValue | null; readonly rival: KeyValue | null; readonly key: string },
): void {
  const { identity, rival, key } = collision;
  if (identity === null) return;
  const text = JSON.stringify({
    unique: key,
    by: rival === null ? [] : decodeKey(table, rival).map(sqlValueToJson),
  });
  store.db
    .prepare<unknown[]>(
      `update _concord_held set rival = @text where table_id = @table and key = @identity and op = 'row'
         and reason = 'uniqueCollision' and rival is not @text`,
    )
    .run({ text, table: table.id, identity });
}
