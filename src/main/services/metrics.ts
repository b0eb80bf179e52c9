import { Counter, Gauge, Registry } from 'prom-client';

import type { FleetReplica } from '#shared/api/fleet-replica.ts';
import { ReplicaState } from '#shared/model/vocabulary.ts';
import type { FleetBoard } from './fleet-board.ts';
import type { Links } from './links.ts';
import type { LocalMembers } from './local-members.ts';

/** What a monitoring system reads of this host. */
export interface Metrics {
  readonly contentType: string;
  /** Prometheus text of everything there is now. Opens no replica and waits for none: what it tells is as last heard. */
  readonly text: () => Promise<string>;
}

interface MetricsDeps {
  readonly members: LocalMembers;
  readonly links: Links;
  readonly board: FleetBoard;
  /** Bytes of a database's write-ahead log; null when there is none. */
  readonly readWalBytes: (path: string) => Promise<number | null>;
}

/** Begins to count what passes, and reads the rest when it is asked. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  const fillGauges = createGauges(registry, deps);
  countPassing(registry, deps);
  return {
    contentType: registry.contentType,
    text: async () => {
      await fillGauges();
      return registry.metrics();
    },
  };
}

/** What there is of each replica, and of each of its peers. Units are in the names, as Prometheus has it. */
const OF_REPLICA = {
  concord_replica_head: 'Number of the newest thing that the replica recorded',
  concord_replica_lag_changes: 'Changes that its peers have and it has not',
  concord_replica_held_rows: 'Rows that wait for a place',
  concord_replica_blocked_batches: 'Batches that wait for a person',
  concord_replica_findings: 'Findings that are listed',
  concord_replica_size_bytes: 'Size of the file',
  concord_replica_wal_bytes: 'Size of the write-ahead log beside the file',
} as const;

const OF_PEER = {
  concord_peer_head: 'Newest number of the peer as it was last heard',
  concord_peer_watermark: 'Number of the peer up to which its changes are admitted',
  concord_peer_skew_seconds: "The peer's clock minus that of the replica",
  concord_peer_last_sync_timestamp_seconds: 'When the replica last had all that the peer had',
} as const;

function createGauges(
  registry: Registry,
  { members, board, readWalBytes }: MetricsDeps,
): () => Promise<void> {
  const registers = [registry];
  const gauge = <Labels extends string>(name: string, help: string, labelNames: readonly Labels[]) =>
    new Gauge({ name, help, labelNames, registers });
  const ofReplica = mapValues(OF_REPLICA, (help, name) => gauge(name, help, ['replica', 'site'] as const));
  const ofPeer = mapValues(OF_PEER, (help, name) => gauge(name, help, ['replica', 'site', 'peer'] as const));
  const state = gauge('concord_replica_state', 'One for the state that the replica is in, else zero', [
    'replica',
    'site',
    'state',
  ] as const);

  return async () => {
    // Of a replica or peer that is gone nothing is told any more.
    for (const one of [state, ...Object.values(ofReplica), ...Object.values(ofPeer)]) one.reset();
    for (const member of members.all()) {
      const replica = board.replica(member.ref);
      if (replica !== null) fill(replica, await readWalBytes(member.record().path));
    }
  };

  function fill(
    { name: replica, status, state: now, lag, heldRows, blocked }: FleetReplica,
    wal: number | null,
  ) {
    const labels = { replica, site: status?.site ?? '' };
    for (const one of ReplicaState.options) state.set({ ...labels, state: one }, one === now ? 1 : 0);
    ofReplica.concord_replica_lag_changes.set(labels, lag.changes);
    ofReplica.concord_replica_held_rows.set(labels, heldRows);
    ofReplica.concord_replica_blocked_batches.set(labels, blocked.length);
    ofReplica.concord_replica_wal_bytes.set(labels, wal ?? 0);
    if (status === null) return;
    ofReplica.concord_replica_head.set(labels, status.head);
    ofReplica.concord_replica_findings.set(labels, status.findings);
    ofReplica.concord_replica_size_bytes.set(labels, status.sizeBytes);
    for (const { site: peer, peerHead, watermark, skewMs, lastSyncMs } of status.peers) {
      const of = { ...labels, peer };
      ofPeer.concord_peer_head.set(of, peerHead);
      ofPeer.concord_peer_watermark.set(of, watermark);
      if (skewMs !== null) ofPeer.concord_peer_skew_seconds.set(of, skewMs / 1_000);
      if (lastSyncMs !== null) ofPeer.concord_peer_last_sync_timestamp_seconds.set(of, lastSyncMs / 1_000);
    }
  }
}

/** Rates come of what is counted since the host started. */
function countPassing(registry: Registry, { members, links, board }: MetricsDeps): void {
  const counter = <Labels extends string>(name: string, help: string, labelNames: readonly Labels[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const facts = counter(
    'concord_admitted_facts_total',
    'Changes that syncs brought, by what became of them',
    ['replica', 'outcome'],
  );
  const migrations = counter('concord_admitted_migrations_total', 'Schema changes that syncs brought', [
    'replica',
  ]);
  const failures = counter(
    'concord_sync_failures_total',
    'Syncs that did not come through, by how they ended',
    ['replica', 'ended'],
  );
  const restarts = counter(
    'concord_worker_restarts_total',
    "Times that a replica's worker died and was started again",
    ['replica'],
  );

  links.onReport(({ into, report }) => {
    const replica = board.replica(into)?.name ?? into;
    facts.inc({ replica, outcome: 'applied' }, report.factsApplied);
    facts.inc({ replica, outcome: 'superseded' }, report.factsSuperseded);
    facts.inc({ replica, outcome: 'held' }, report.factsHeld);
    migrations.inc({ replica }, report.migrations);
    if (report.ended !== 'quiet' && report.ended !== 'paused') failures.inc({ replica, ended: report.ended });
  });
  members.onEvent((member, { kind }) => {
    if (kind === 'crashed') restarts.inc({ replica: member.record().name });
  });
}

/** A record with the same keys, each value made of the old one and its key. */
function mapValues<Key extends string, Value>(
  record: Readonly<Record<Key, string>>,
  make: (value: string, key: Key) => Value,
): Readonly<Record<Key, Value>> {
  const entries = Object.entries(record) as [Key, string][];
  // The keys are those of the record.
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value, key)])) as Record<Key, Value>;
}
