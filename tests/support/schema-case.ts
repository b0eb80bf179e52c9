import { expect, test } from 'vitest';

import { assert, present } from '#shared/assert.ts';

import { createReplicaWorld, problemsOf, syncAll } from './replica-world.ts';
import type { PullOptions, TestReplica } from './replica-world.ts';

// Schema cases as tables: what is written where, how it travels, and what must then be true on every replica, on those
// that relayed it and on those that join at the end by delta.

export interface SchemaCase {
  readonly title: string;
  /** Written on `a` and pulled by all before the case begins. */
  readonly base?: string;
  /**
   * In order of time: `a: SQL` through Concord, `b plain: SQL` as another program, `c refuses /message/: SQL`,
   * `a>b` for a pull of b, `wait 5000`.
   */
  readonly moves: readonly string[];
  readonly end: SchemaEnd;
}

export interface SchemaEnd {
  /** Rows of queries. */
  readonly rows?: Readonly<Record<string, readonly (readonly unknown[])[]>>;
  /** Columns of tables, in any order; null for a table that is not there. */
  readonly tables?: Readonly<Record<string, readonly string[] | null>>;
  /** Names of all that there is, in any order. */
  readonly objects?: readonly string[];
  /** What the canonical DDL of an object must match. */
  readonly ddl?: Readonly<Record<string, RegExp>>;
  /** What it must not match. */
  readonly notDdl?: Readonly<Record<string, RegExp>>;
  /** Statements that are refused at the end, with what they say, and statements that are not; each on its own. */
  readonly refuses?: readonly (readonly [sql: string, message: RegExp])[];
  readonly takes?: readonly string[];
  /** Rows held on every replica that took part: table, reason, count; and none besides. */
  readonly held?: readonly (readonly [table: string, reason: string, rows: number])[];
  /** Whether a migration may have converged with a warning. */
  readonly mayWarn?: boolean;
}

const DELIVERIES = ['a first', 'b first, fact by fact', 'by relay, each page twice'] as const;
type Delivery = (typeof DELIVERIES)[number];

/** Makes a test of every case under every delivery. */
export function testSchemaCases(cases: readonly SchemaCase[]): void {
  for (const one of cases)
    for (const delivery of DELIVERIES)
      test(`${one.title} (${delivery})`, () => {
        playSchemaCase(one, delivery);
      });
}

type Cast = Readonly<Record<'a' | 'b' | 'c', TestReplica>>;

/** Plays a case and looks at what must hold at rest, everywhere. */
function playSchemaCase(given: SchemaCase, delivery: Delivery): void {
  const world = createReplicaWorld();
  try {
    const cast: Cast = { a: world.init('a'), b: world.init('b'), c: world.init('c') };
    const { a, b, c } = cast;
    if (given.base !== undefined) {
      a.exec(given.base);
      for (const to of [b, c]) to.pull(a);
    }
    for (const move of given.moves) playMove(cast, world.wait, move);
    deliver(cast, delivery);
    syncAll([a, b, c]);
    expectFree([a, b, c]);
    const joined = { d: world.init('d'), e: world.init('e') };
    joined.d.pull(a, { facts: 2 });
    joined.e.pull(c);
    syncAll([a, b, c, joined.d, joined.e]);
    expectEnd(given.end, [a, b, c], [joined.d, joined.e]);
  } finally {
    world.close();
  }
}

function playMove(cast: Cast, wait: (ms: number) => void, move: string): void {
  const pull = /^([abc])>([abc])$/.exec(move);
  if (pull !== null) {
    member(cast, pull[2]).pull(member(cast, pull[1]));
    return;
  }
  const pause = /^wait (\d+)$/.exec(move);
  if (pause !== null) {
    wait(Number(pause[1]));
    return;
  }
  const written = /^([abc])( plain| refuses \/(.*?)\/)?: ([\s\S]*)$/.exec(move);
  assert(written !== null, `a move that is understood: ${move}`);
  const replica = member(cast, written[1]);
  const sql = present(written[4], 'SQL');
  if (written[2] === undefined) replica.exec(sql);
  else if (written[3] === undefined) replica.plain(sql);
  else expect(replica.refused(sql).message).toMatch(new RegExp(written[3], 'i'));
}

const member = (cast: Cast, name: string | undefined): TestReplica =>
  present(cast[name as keyof Cast], `replica ${name ?? ''}`);

function deliver({ a, b, c }: Cast, delivery: Delivery): void {
  const both = (first: TestReplica, second: TestReplica, options: PullOptions = {}): void => {
    second.pull(first, options);
    first.pull(second, options);
  };
  switch (delivery) {
    case 'a first':
      both(a, b);
      return;
    case 'b first, fact by fact':
      both(b, a, { facts: 1 });
      return;
    case 'by relay, each page twice':
      for (const from of [a, b, a]) {
        c.pull(from, { times: 2 });
        (from === a ? b : a).pull(c, { times: 2 });
      }
  }
}

function expectFree(replicas: readonly TestReplica[]): void {
  for (const replica of replicas) {
    const lines = replica
      .core()
      .blocked()
      .map(({ cause, object, message }) => `${replica.name} ${cause} ${object}: ${message}`);
    expect(lines).toEqual([]);
  }
}

function expectEnd(end: SchemaEnd, cast: readonly TestReplica[], joined: readonly TestReplica[]): void {
  const all = [...cast, ...joined];
  expectFree(all);
  for (const replica of all) expectCatalog(replica, end);
  for (const replica of all) expectRows(replica, end);
  expectSame(all);
  for (const replica of cast) expectHeldAndWarnings(replica, end);
  for (const replica of all) expect(problemsOf(replica), replica.name).toEqual([]);
  for (const to of all)
    for (const from of all)
      if (to !== from)
        expect(
          to.pull(from).pages.flatMap((page) => page.groups),
          `${from.name} to ${to.name} at rest`,
        ).toEqual([]);
  const [last] = all.slice(-1);
  if (last !== undefined) expectAnswers(last, end);
}

/** Equal fingerprints; where they differ, the canonical texts say where. */
export function expectSame(replicas: readonly TestReplica[]): void {
  const [first] = replicas;
  for (const replica of replicas) {
    if (replica.core().status().fingerprint === first?.core().status().fingerprint) continue;
    expect({ [replica.name]: catalogTexts(replica) }).toEqual({
      [replica.name]: first === undefined ? [] : catalogTexts(first),
    });
    expect.fail(`${replica.name} has another fingerprint than ${first?.name ?? ''} and the same texts`);
  }
}

/** What stands in the file. */
const objectsOf = (replica: TestReplica) =>
  replica
    .core()
    .catalog()
    .objects.filter(({ isParked }) => !isParked);

const catalogTexts = (replica: TestReplica): readonly string[] =>
  objectsOf(replica)
    .map(({ ddl }) => ddl)
    .sort();

function expectCatalog(replica: TestReplica, end: SchemaEnd): void {
  const { tables = {}, ddl = {}, notDdl = {} } = end;
  const objects = objectsOf(replica);
  const textOf = (name: string): string => objects.find((object) => object.name === name)?.ddl ?? '';
  for (const [name, columns] of Object.entries(tables))
    expect(columnsOf(replica, name), `columns of ${name} on ${replica.name}`).toEqual(
      columns?.toSorted() ?? null,
    );
  if (end.objects !== undefined)
    expect(objects.map(({ name }) => name).sort(), `objects on ${replica.name}`).toEqual(
      end.objects.toSorted(),
    );
  for (const [name, pattern] of Object.entries(ddl))
    expect(textOf(name), `${name} on ${replica.name}`).toMatch(pattern);
  for (const [name, pattern] of Object.entries(notDdl))
    expect(textOf(name), `${name} on ${replica.name}`).not.toMatch(pattern);
}

function columnsOf(replica: TestReplica, table: string): readonly string[] | null {
  const found = objectsOf(replica).find(({ name }) => name === table);
  return found === undefined ? null : found.columns.map(({ name }) => name).sort();
}

function expectRows(replica: TestReplica, end: SchemaEnd): void {
  for (const [sql, rows] of Object.entries(end.rows ?? {}))
    expect(replica.rows(sql).map(plainRow), `${sql} on ${replica.name}`).toEqual(rows);
}

/** Integers as numbers: cases are easier to read so. */
export const plainRow = (row: readonly unknown[]): readonly unknown[] =>
  row.map((value) => (typeof value === 'bigint' ? Number(value) : value));

function expectHeldAndWarnings(replica: TestReplica, end: SchemaEnd): void {
  if (end.held !== undefined) {
    const held = replica
      .core()
      .heldCounts()
      .map(({ table, reason, rows }) => `${table} ${reason} ${rows}`);
    expect(held.toSorted(), `held on ${replica.name}`).toEqual(end.held.map((line) => line.join(' ')).sort());
  }
  if (end.mayWarn === true) return;
  expect(warningsOf(replica), `warnings on ${replica.name}`).toEqual([]);
}

/** Migrations that converged with a warning, in words. */
export const warningsOf = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .migrations({ limit: 1_000 })
    .filter(({ verdict }) => verdict === 'convergedWithWarning')
    .map(({ type, object, reason }) => `${type} ${object}: ${reason}`);

function expectAnswers(replica: TestReplica, end: SchemaEnd): void {
  for (const [sql, message] of end.refuses ?? []) {
    const result = replica.core().exec(sql);
    expect(result.ok ? `took ${sql}` : result.error.message).toMatch(message);
  }
  for (const sql of end.takes ?? []) replica.exec(sql);
}
