import type { Admission } from './admission-context.ts';
import { AdmissionRefused } from './admission-refused.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

/** What is held of one peer. */
interface HeldUse {
  readonly facts: number;
  readonly bytes: number;
}

/** What is held of a peer, by its ordinal; null for what this replica took out of its own tables. One look-up. */
function heldUseOf({ db }: Pick<ReplicaStore, 'db'>, via: number | null): HeldUse {
  const [facts, bytes] =
    db
      .prepareRaw<[bigint], [bigint, bigint]>('select facts, bytes from _concord_held_use where via = ?')
      .get(BigInt(via ?? 0)) ?? [];
  return { facts: toNumber(facts ?? 0n), bytes: toNumber(bytes ?? 0n) };
}

/** Counts one fact that is held from now on. Whoever writes into `_concord_held` calls it. */
export function countHeldIn({ db }: Pick<ReplicaStore, 'db'>, via: number | null, bytes: number): void {
  db.prepare<[bigint, bigint]>(
    `insert into _concord_held_use (via, facts, bytes) values (?, 1, ?)
     on conflict (via) do update set facts = facts + 1, bytes = bytes + excluded.bytes`,
  ).run(BigInt(via ?? 0), BigInt(bytes));
}

/** Takes held changes out of the file and of the counts; `where` is a condition on `_concord_held` with one parameter. */
export function deleteHeld({ db }: Pick<ReplicaStore, 'db'>, where: string, value: unknown): number {
  const gone = db
    .prepareRaw<unknown[], [bigint, bigint, bigint]>(
      `select coalesce(via, 0), count(*), sum(size_bytes) from _concord_held where ${where} group by 1`,
    )
    .all(value);
  const subtract = db.prepare<unknown[]>(
    'update _concord_held_use set facts = facts - ?, bytes = bytes - ? where via = ?',
  );
  for (const [via, facts, bytes] of gone) subtract.run(facts, bytes, via);
  return db.prepare<unknown[]>(`delete from _concord_held where ${where}`).run(value).changes;
}

/** One sentence where the counts are not what is held; empty when they are. */
export function checkHeldUse({ db }: Pick<ReplicaStore, 'db'>): readonly string[] {
  const wrong = db
    .preparePluck<[]>(
      `select count(*) from (select coalesce(via, 0) as via, count(*) as facts, sum(size_bytes) as bytes from _concord_held group by 1)
         as h full join (select via, facts, bytes from _concord_held_use where facts <> 0 or bytes <> 0) as u on u.via = h.via
       where h.facts is not u.facts or h.bytes is not u.bytes`,
    )
    .get();
  return wrong === 0n ? [] : ['What is held of a peer is not what was counted.'];
}

/**
 * Refuses the unit where one more fact would pass a bound of what may be held of its peer: nothing is dropped silently.
 *
 * Errors: `AdmissionRefused` with cause `heldLimit`; the unit is tried again by itself and goes in once there is room.
 */
export function refuseBeyondBounds(
  { store }: Admission,
  { via, bytes }: { readonly via: number | null; readonly bytes: number },
): void {
  const { heldMaxFacts, heldMaxBytes } = store.settings;
  const use = heldUseOf(store, via);
  if (use.facts < heldMaxFacts && use.bytes + bytes <= heldMaxBytes) return;
  const most = mostHeld(store, via);
  throw new AdmissionRefused({
    cause: 'heldLimit',
    object: most?.table ?? '',
    message: limitSentence(store, via, { use, most }),
  });
}

interface MostHeld {
  readonly table: string;
  readonly reason: string;
  readonly facts: number;
}

/** What most of it waits for: there a person begins. Reads all that is held of the peer, once for a refusal. */
function mostHeld({ db }: ReplicaStore, via: number | null): MostHeld | null {
  const [table, reason, facts] =
    db
      .prepareRaw<[bigint | null], [string, string, bigint]>(
        `select table_name, reason, count(*) from _concord_held where via is ?
         group by table_name, reason order by count(*) desc limit 1`,
      )
      .get(via === null ? null : BigInt(via)) ?? [];
  return table === undefined || reason === undefined ? null : { table, reason, facts: toNumber(facts ?? 0n) };
}

function limitSentence(
  { settings, sites }: ReplicaStore,
  via: number | null,
  { use, most }: { readonly use: HeldUse; readonly most: MostHeld | null },
): string {
  const { heldMaxFacts, heldMaxBytes } = settings;
  const whose = via === null ? 'this replica itself' : `peer ${sites.siteOf(via)}`;
  const mostly =
    most === null ? '' : ` Most of them, ${String(most.facts)}, are for ${most.table} (${most.reason}).`;
  return (
    `${String(use.facts)} changes of ${whose} are held here, ${mebibytes(use.bytes)}, and no more than ` +
    `${String(heldMaxFacts)} changes or ${mebibytes(heldMaxBytes)} may be, so the next ones are not taken in; nothing is lost.${mostly} ` +
    `Give them their place, export and delete what is not wanted, or raise the bound: then the line goes on by itself.`
  );
}

const MEBIBYTE = 1024 * 1024;

const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
