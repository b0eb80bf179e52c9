import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database, { type Database as Connection } from 'better-sqlite3';

import type { Ports } from '#main/engine/ports.ts';
import { sha256 } from '#main/platform/sha256.ts';
import { attachReplica } from '#main/replica/attach-replica.ts';
import { initReplica } from '#main/replica/init-replica.ts';
import { openReplica } from '#main/replica/open-replica.ts';
import type { OpenReplicaOptions } from '#main/replica/open-replica.ts';
import type {
  AdmissionReport,
  ExecError,
  PeerIdentity,
  Replica,
  StatementResult,
} from '#main/replica/replica.ts';
import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { checkIntegrity, makePlainDatabase, queryPlain, runPlainSql } from '#main/store/plain-connection.ts';
import type { ReplicaSettings } from '#main/store/replica-settings.ts';
import { assert, present } from '#shared/assert.ts';
import type { Page } from '#shared/model/change-group.ts';
import type { Failure, Result } from '#shared/result.ts';

import { createMemoryLog, type MemoryLog } from './memory-log.ts';
import { createSeededRandom } from './seeded-random.ts';

/** 2026-06-01T00:00:00Z: the instant at which the first replica is made. */
const START_MS = Date.UTC(2026, 5, 1);

/** Files in memory where there is such a place: every commit waits for the disk otherwise. */
const MEMORY = '/dev/shm';

/** A pull that goes on for so many pages never ends. */
const PAGES_MAX = 5_000;

/** Real replica files in a folder of their own, one simulated clock, chance by seed. */
export interface ReplicaWorld {
  readonly folder: string;
  readonly nowMs: () => number;
  readonly wait: (ms: number) => void;
  /** Makes a new, empty replica. */
  readonly init: (name: string, options?: ReplicaOptions) => TestReplica;
  /** Makes a plain database of these statements and attaches it. */
  readonly attach: (name: string, sql: string, options?: ReplicaOptions) => TestReplica;
  /** All that were made in it, in the order of their making. */
  readonly replicas: () => readonly TestReplica[];
  readonly close: () => void;
}

export interface ReplicaOptions {
  /** How far this replica's wall clock is ahead of the world's; milliseconds. */
  readonly offsetMs?: number;
  readonly settings?: Partial<ReplicaSettings>;
}

export interface TestReplica {
  readonly name: string;
  readonly path: string;
  readonly core: () => Replica;
  readonly ports: Ports & { readonly log: MemoryLog };
  /** Runs SQL through Concord; what is refused fails the test. Hands back the rows of the last statement. */
  readonly exec: (sql: string) => readonly (readonly unknown[])[];
  /** Runs SQL that must be refused. */
  readonly refused: (sql: string) => ExecError;
  /** Runs SQL as another program does, while the replica is open. */
  readonly plain: (sql: string) => void;
  /** Rows of a query, read by a connection of its own. Integers are bigint. */
  readonly rows: (sql: string) => readonly (readonly unknown[])[];
  readonly pull: (from: TestReplica, options?: PullOptions) => PullOutcome;
  readonly setOffset: (offsetMs: number) => void;
  readonly isOpen: () => boolean;
  readonly close: () => void;
  readonly reopen: () => void;
}

export interface PullOptions {
  /** Page size; what the replica asks for otherwise. */
  readonly facts?: number;
  /** Each page is delivered so many times. */
  readonly times?: number;
  /** Changes a page on its way. */
  readonly disturb?: (page: Page) => Page;
  /** Ends after so many pages. */
  readonly pages?: number;
}

export interface PullOutcome {
  readonly reports: readonly AdmissionReport[];
  readonly pages: readonly Page[];
  readonly groups: number;
  readonly applied: number;
  readonly held: number;
  readonly migrations: number;
  readonly blocked: AdmissionReport['blocked'];
}

export function createReplicaWorld(seed = 1): ReplicaWorld {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'concord-replicas-'));
  const replicas: TestReplica[] = [];
  let now = START_MS;
  const clock = { nowMs: () => now, wait: (ms: number) => void (now += ms) };

  const add = (
    name: string,
    options: ReplicaOptions,
    first: (at: OpenReplicaOptions) => Replica,
  ): TestReplica => {
    const replica = createTestReplica({
      name,
      folder,
      clock,
      seed: seed * 1_000 + replicas.length,
      first,
      ...options,
    });
    replicas.push(replica);
    return replica;
  };
  return {
    folder,
    ...clock,
    init: (name, options = {}) => add(name, options, (at) => valueOf(initReplica(at))),
    attach: (name, sql, options = {}) =>
      add(name, options, (at) => {
        valueOf(makePlainDatabase(at.path, sql));
        return valueOf(attachReplica(at)).replica;
      }),
    replicas: () => replicas,
    close: () => {
      for (const replica of replicas) replica.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface NewReplica extends ReplicaOptions {
  readonly name: string;
  readonly folder: string;
  readonly seed: number;
  readonly clock: Pick<ReplicaWorld, 'nowMs' | 'wait'>;
  readonly first: (at: OpenReplicaOptions) => Replica;
}

function createTestReplica(given: NewReplica): TestReplica {
  const { name, clock } = given;
  const path = join(given.folder, `${name}.db`);
  let offsetMs = given.offsetMs ?? 0;
  const ports: TestReplica['ports'] = {
    clock: { nowMs: () => clock.nowMs() + offsetMs, isWallClock: false },
    random: createSeededRandom(given.seed),
    hash: sha256,
    log: createMemoryLog(),
  };
  const at: OpenReplicaOptions = {
    path,
    ports,
    host: { id: name, address: null },
    ...(given.settings === undefined ? {} : { settings: given.settings }),
  };
  let opened: Replica | null = given.first(at);
  const core = (): Replica => present(opened, `${name} is closed`);

  const run = (sql: string): Result<readonly StatementResult[], ExecError> => {
    clock.wait(1);
    return core().exec(sql);
  };
  const close = (): void => {
    opened?.close();
    opened = null;
  };
  const replica: TestReplica = {
    name,
    path,
    core,
    ports,
    exec: (sql) => valueOf(run(sql)).at(-1)?.rows ?? [],
    refused: (sql) => {
      const result = run(sql);
      assert(!result.ok, `${name} took ${sql}`);
      return result.error;
    },
    plain: (sql) => {
      clock.wait(1);
      valueOf(runPlainSql(path, sql, ports.clock.nowMs()));
    },
    rows: (sql) => valueOf(queryPlain(path, sql)),
    pull: (from, options) => {
      clock.wait(1);
      return pull({ to: replica, from, nowMs: from.ports.clock.nowMs }, options ?? {});
    },
    setOffset: (ms) => void (offsetMs = ms),
    isOpen: () => opened !== null,
    close,
    reopen: () => {
      close();
      opened = valueOf(openReplica(at));
    },
  };
  return replica;
}

/** Pulls page by page until there is no more or the line stands, as a host does. */
function pull(
  ends: { readonly to: TestReplica; readonly from: TestReplica; readonly nowMs: () => number },
  options: PullOptions,
): PullOutcome {
  const { to, from, nowMs } = ends;
  const reports: AdmissionReport[] = [];
  const pages: Page[] = [];
  const { pages: pagesMax = PAGES_MAX, times = 1, disturb = (page: Page) => page } = options;
  while (pages.length < pagesMax) {
    const peer: PeerIdentity = { ...from.core().identity(), nowMs: nowMs() };
    const request = valueOf(to.core().planPull(peer));
    const asked = { ...request, facts: options.facts ?? request.facts };
    const page = disturb(valueOf(from.core().readPage(to.core().identity().site, asked)));
    pages.push(page);
    for (let time = 0; time < times; time += 1) reports.push(to.core().admitPage(peer, page));
    if (reports.at(-1)?.blocked !== null || !page.more) return outcomeOf(reports, pages);
  }
  assert(options.pages !== undefined, `${to.name} pulls from ${from.name} without end`);
  return outcomeOf(reports, pages);
}

function outcomeOf(reports: readonly AdmissionReport[], pages: readonly Page[]): PullOutcome {
  const sum = (of: (report: AdmissionReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  return {
    reports,
    pages,
    groups: sum((report) => report.admittedGroups),
    applied: sum((report) => report.factsApplied),
    held: sum((report) => report.factsHeld),
    migrations: sum((report) => report.migrations),
    blocked: reports.at(-1)?.blocked ?? null,
  };
}

/** Pulls in both directions until nothing moves any more, or a line stands. */
export function syncBoth(a: TestReplica, b: TestReplica, options: PullOptions = {}): void {
  syncAll([a, b], options);
}

/** Pulls between all pairs until nothing moves any more. Lines that stand are tried again in each round. */
export function syncAll(replicas: readonly TestReplica[], options: PullOptions = {}): void {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = replicas.map(restOf).join();
    for (const to of replicas) for (const from of replicas) if (to !== from) to.pull(from, options);
    if (before === replicas.map(restOf).join()) return;
  }
  throw new Error(`${replicas.map(({ name }) => name).join(', ')} do not come to rest`);
}

const ROUNDS_MAX = 12;

/** What changes as long as anything moves; attempts at a line that stands are no movement. */
const restOf = (replica: TestReplica): string =>
  JSON.stringify([
    replica.core().identity().head,
    replica
      .core()
      .status()
      .peers.map(({ watermark }) => watermark),
    replica
      .core()
      .blocked()
      .map(({ conflictId }) => conflictId),
    replica.core().heldCounts(),
  ]);

/** The file's content in words, bookkeeping included; `but` names tables that are left out. */
export function dumpFile(replica: TestReplica, but: readonly string[] = []): string {
  const db = new Database(replica.path, { readonly: true });
  try {
    const names = db
      .prepare<[], string>(
        `select name from pragma_table_list where schema = 'main' and type = 'table' order by name`,
      )
      .pluck()
      .all()
      .filter((name) => !name.startsWith('sqlite_') && !UNSTEADY.has(name) && !but.includes(name));
    return names.map((name) => `${name}: ${tableText(db, name)}`).join('\n');
  } finally {
    db.close();
  }
}

/** Who has the file open, since when, and the time that triggers take: not what the replica knows. */
const UNSTEADY: ReadonlySet<string> = new Set(['_concord_lease', '_concord_era', '_concord_state']);

const tableText = (db: Connection, name: string): string =>
  db
    .prepare(`select * from ${quoteIdentifier(name)}`)
    .safeIntegers()
    .raw()
    .all()
    .map((row) => JSON.stringify(row, plainValue))
    .sort()
    .join();

const plainValue = (_name: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value.toString()}n`;
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
};

/** Problems of a file at rest: its bookkeeping's own check, and SQLite's. */
export const problemsOf = (replica: TestReplica): readonly string[] => [
  ...replica.core().selfCheck(),
  ...valueOf(checkIntegrity(replica.path)),
];

/** The value of a success; a refusal fails the test with what it says. */
export function valueOf<T>(result: Result<T, Failure & { readonly message?: string }>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message ?? ''}`);
  return result.value;
}
