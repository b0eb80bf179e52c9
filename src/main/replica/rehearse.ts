import type { ChangeGroup, Migration, Page } from '#shared/model/change-group.ts';
import { Epoch, Era, SiteId, type MigrationId } from '#shared/model/ids.ts';
import type { Rehearsal, RehearsedStep } from '#shared/model/rehearsal.ts';
import type { MigrationView } from '#shared/model/views.ts';
import { err, ok, type Result } from '#shared/result.ts';

import type { Ports } from '../engine/ports.ts';
import { classifyStatement } from '../sql/classify-statement.ts';
import { splitStatements } from '../sql/split-statements.ts';
import { carriedMigrations, type CarriedMigrations } from '../store/carried-migrations.ts';
import { lastMigration } from '../store/migration-list.ts';
import { drawId } from '../store/replica-meta.ts';
import { onScratchCopy, type ScratchError } from '../store/scratch-copy.ts';
import { measureScratch } from '../store/scratch-cost.ts';
import type { StoreDatabase } from '../store/store-database.ts';
import { serveReplicaOn } from './open-replica.ts';
import { createRehearsalReport } from './rehearse-report.ts';
import type { PeerIdentity, Replica } from './replica.ts';

/** What is rehearsed: a statement where it is written, or what it would send where it arrives. */
export type RehearseRequest =
  | { readonly kind: 'writing'; readonly sql: string }
  | { readonly kind: 'arrival'; readonly carried: CarriedMigrations };

export interface RehearseReport {
  readonly rehearsal: Rehearsal;
  /** Of a writing; of an arrival what arrived. */
  readonly carried: CarriedMigrations;
}

export type RehearseError = ScratchError | { readonly code: 'no-schema-statement'; readonly message: string };

/**
 * Runs schema statements on a scratch copy of a replica, or admits there what they would send, by the very code that
 * does so on the replica: so the verdicts are true. The replica is only read.
 *
 * Errors: those of making the copy; `no-schema-statement` when something else is to be run. What SQLite or an admission
 * refuses is no error: that is what one wants to know.
 */
export function rehearse(
  original: { readonly db: StoreDatabase; readonly ports: Ports },
  request: RehearseRequest,
): Result<RehearseReport, RehearseError> {
  const stranger = request.kind === 'writing' ? findStranger(request.sql) : null;
  if (stranger !== null) return err({ code: 'no-schema-statement', message: stranger });
  const ports = { ...original.ports, log: SILENT };
  return onScratchCopy(original.db, (copy): Result<RehearseReport, RehearseError> => {
    const served = serveReplicaOn(copy, {
      path: copy.path,
      ports,
      host: { id: 'rehearsal', address: null },
    });
    if (!served.ok) return err({ code: 'copy-failed', message: served.error.message });
    const scratch = { replica: served.value, copy, original: original.db, ports };
    return ok(request.kind === 'writing' ? write(scratch, request.sql) : admit(scratch, request.carried));
  });
}

/** Nobody waits for what a copy has to say. */
const SILENT: Ports['log'] = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Scratch {
  readonly replica: Replica;
  readonly copy: StoreDatabase;
  readonly original: StoreDatabase;
  readonly ports: Ports;
}

/** One sentence when there is anything but schema statements. */
function findStranger(sql: string): string | null {
  const statements = splitStatements(sql);
  if (statements.length === 0) return 'There is no statement to rehearse.';
  const stranger = statements.find(({ text }) => !/^(create|drop|alter)/.test(classifyStatement(text).kind));
  return stranger === undefined
    ? null
    : `Only CREATE, DROP and ALTER are rehearsed, and this is none: ${stranger.text.trim().slice(0, 100)}`;
}

function write({ replica, copy, original }: Scratch, sql: string): RehearseReport {
  const after = lastMigration(copy);
  const report = createRehearsalReport(replica, measureScratch(copy, original));
  const run = replica.exec(sql);
  const carried = carriedMigrations(copy, after);
  const views = newestById(replica, carried.migrations.length);
  const steps = carried.migrations.map((migration) => stepOf(migration, views.get(migration.id)));
  const refused = run.ok ? null : run.error.message;
  return {
    rehearsal: report.end({ steps, refused, stopped: null }),
    carried: run.ok ? carried : NOTHING_CARRIED,
  };
}

const NOTHING_CARRIED: CarriedMigrations = { before: [], migrations: [] };

function admit(scratch: Scratch, carried: CarriedMigrations): RehearseReport {
  const { replica, copy, original, ports } = scratch;
  const peer = drawPeer(ports);
  // What comes first is no part of the price, nor of what is shown.
  if (carried.before.length > 0)
    replica.admitPage(peer, pageOf(peer, { from: 0, migrations: carried.before }));
  const earlier = stopOf(replica, peer);
  const report = createRehearsalReport(replica, measureScratch(copy, original));
  if (earlier === null) {
    replica.admitPage(peer, pageOf(peer, { from: carried.before.length, migrations: carried.migrations }));
  }
  const own = stopOf(replica, peer);
  const views = newestById(replica, carried.before.length + carried.migrations.length);
  const missing = carried.migrations.find(({ id }) => !views.has(id));
  const steps = carried.migrations.map((migration): RehearsedStep => {
    const isStop = earlier === null && own !== null && migration === missing;
    return isStop
      ? { ...stepOf(migration, undefined), verdict: 'conflict', reason: own.message }
      : stepOf(migration, views.get(migration.id));
  });
  const stopped = own === null ? null : { message: own.message, isEarlier: earlier !== null };
  return { rehearsal: report.end({ steps, refused: null, stopped }), carried };
}

function stepOf(
  { type, kind, object, element }: Migration,
  view: Pick<RehearsedStep, 'verdict' | 'reason'> | undefined,
): RehearsedStep {
  return { type, kind, object, element, verdict: view?.verdict ?? null, reason: view?.reason ?? '' };
}

/** The newest entries of the history: no more can have come. */
const newestById = (replica: Replica, count: number): ReadonlyMap<MigrationId, MigrationView> =>
  new Map(replica.migrations({ limit: count + 1 }).map((view) => [view.id, view]));

const stopOf = (replica: Replica, peer: PeerIdentity) =>
  replica.blocked().find(({ from }) => from === peer.site) ?? null;

/** A relay that the replica has not met, so that nothing of what waits from its own peers is touched. */
const drawPeer = ({ random, clock }: Ports): PeerIdentity => ({
  site: drawId(SiteId, random),
  epoch: drawId(Epoch, random),
  era: drawId(Era, random),
  head: 0,
  nowMs: clock.nowMs(),
});

/** Each migration is a unit of its own, as statements are. */
function pageOf(
  { epoch, era }: PeerIdentity,
  { from, migrations }: { readonly from: number; readonly migrations: readonly Migration[] },
): Page {
  const cursor = (seq: number) => ({ epoch, era, seq, catalogSeq: 0 });
  const groups = migrations.map((migration, at): ChangeGroup => ({
    cursor: cursor(from + at + 1),
    sites: [],
    tables: [],
    migrations: [migration],
    blocks: [],
  }));
  const last = from + migrations.length;
  return { groups, cursor: cursor(last), head: last, more: false, read: migrations.length };
}
