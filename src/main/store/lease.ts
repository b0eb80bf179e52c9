import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

/** One host at a time writes a replica's bookkeeping (FILE-001). Other programs' writes to the tables need no lease. */
export interface LeaseClaim {
  /** Names the host process, the same as long as it lives. */
  readonly host: string;
  /** Where others can call it, or null. */
  readonly address: string | null;
  readonly nowMs: number;
  /** How long the lease holds without being renewed; milliseconds. */
  readonly holdMs: number;
}

export interface HeldByHost {
  readonly code: 'held-by-host';
  readonly host: string;
  readonly address: string | null;
  readonly untilMs: number;
  readonly message: string;
}

/**
 * Takes or renews the lease.
 *
 * Errors: `held-by-host` while another host's lease holds: call that host, or only read. Nothing is written then.
 */
export function takeLease(db: StoreDatabase, claim: LeaseClaim): Result<undefined, HeldByHost> {
  return db.transaction(() => {
    const holder = readLease(db);
    if (holder !== null && holder.host !== claim.host && holder.untilMs > claim.nowMs) return err(holder);
    db.prepare<unknown[]>(
      `insert into _concord_lease (id, host, address, until_ms) values (1, ?, ?, ?)
       on conflict (id) do update set host = excluded.host, address = excluded.address, until_ms = excluded.until_ms`,
    ).run(claim.host, claim.address, claim.nowMs + claim.holdMs);
    return ok();
  });
}

/** Gives the lease back, if this host has it. */
export function giveBackLease(db: StoreDatabase, host: string): void {
  db.transaction(() => {
    db.prepare<[string]>(`delete from _concord_lease where host = ?`).run(host);
  });
}

/** Who holds the lease, or held it last; null when it was given back. */
export function readLease(db: StoreDatabase): HeldByHost | null {
  const row = db
    .prepareRaw<[], [string, string | null, bigint]>(`select host, address, until_ms from _concord_lease`)
    .get();
  if (row === undefined) return null;
  const [host, address, until] = row;
  return {
    code: 'held-by-host',
    host,
    address,
    untilMs: toNumber(until),
    message: `Another Concord has this replica open${address === null ? '' : ` (${address})`}: use that one, or close it first.`,
  };
}
