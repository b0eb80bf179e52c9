import { present } from '#shared/assert.ts';

import { createLedger } from './convergence-ledger.ts';
import { stepText, writeSql } from './convergence-steps.ts';
import type { Place, StoryStep } from './convergence-steps.ts';
import { createReplicaWorld, problemsOf, syncAll } from './replica-world.ts';
import type { TestReplica } from './replica-world.ts';

/** How often the replicas come to rest blocked and somebody decides, until the story counts as endless. */
const DECISIONS_MAX = 40;

export interface StoryEnd {
  /** What is not as it must be at rest, in sentences; empty when all is well. */
  readonly faults: readonly string[];
  /** Decisions that were made. */
  readonly decisions: number;
}

/**
 * Plays a story on real files, lets all come to rest (whoever is blocked decides), and looks at what must hold then:
 * equal schema and rows everywhere and on a replica that joins at the end, sound files, nothing lost, quiet links.
 */
export function playStory(
  seed: number,
  steps: readonly StoryStep[],
  trace: (line: string) => void = () => undefined,
): StoryEnd {
  const world = createReplicaWorld(seed);
  try {
    const replicas = ['A', 'B', 'C'].map((name) => world.init(name));
    const at = (place: Place): TestReplica => present(replicas[place], 'three replicas');
    const ledger = createLedger();
    let decisions = 0;

    const resolve = (replica: TestReplica, option: 'takeRemote' | 'keepLocal'): void => {
      const blocked = replica
        .core()
        .blocked()
        .find(({ options }) => options.includes(option));
      if (blocked === undefined) return;
      const result = replica
        .core()
        .resolve({ conflictId: blocked.conflictId, option, because: 'story', who: 'story' });
      trace(`  ${replica.name} ${option} ${blocked.object}: ${result.ok ? 'done' : result.error.message}`);
      if (result.ok) decisions += 1;
    };
    const play = (step: StoryStep, index: number): void => {
      trace(`${index} ${stepText(step)}`);
      switch (step.kind) {
        case 'write': {
          const replica = at(step.at);
          for (const write of step.writes) {
            const row = tokensOf(rowsOrNone(replica, `SELECT * FROM ${write.table} WHERE id = ${write.id}`));
            const result = replica.core().exec(writeSql(write));
            world.wait(1);
            trace(`  ${result.ok ? result.value[0]?.changes : result.error.message}`);
            if (result.ok && (result.value[0]?.changes ?? 0) > 0)
              ledger.wrote(write, { by: replica.name, step: index, row: [...row] });
          }
          return;
        }
        case 'ddl': {
          const replica = at(step.at);
          const tokens =
            step.drops === null ? [] : tokensOf(rowsOrNone(replica, `SELECT * FROM ${step.drops}`));
          const result = replica.core().exec(step.sql);
          world.wait(1);
          trace(`  ${result.ok ? 'done' : result.error.message}`);
          if (result.ok) ledger.dropped(tokens);
          return;
        }
        case 'pull': {
          const outcome = at(step.to).pull(at(step.from), step);
          if (outcome.blocked === null && outcome.pages.at(-1)?.more === false)
            ledger.pulled(at(step.to).name, at(step.from).name);
          trace(`  applied ${outcome.applied} held ${outcome.held} ${outcome.blocked?.message ?? ''}`);
          return;
        }
        case 'resolve':
          resolve(at(step.at), step.option);
          return;
        case 'reopen':
          at(step.at).reopen();
      }
    };
    steps.forEach(play);

    for (let turn = 0; ; turn += 1) {
      syncAll(replicas);
      const stuck = replicas.filter((replica) => replica.core().blocked().length > 0);
      if (stuck.length === 0) break;
      if (turn >= DECISIONS_MAX)
        return { faults: [`still blocked: ${stuck.map(blockedText).join('; ')}`], decisions };
      const replica = present(stuck[(seed + turn) % stuck.length], 'somebody is stuck');
      trace(`at rest ${turn}: ${stuck.map(blockedText).join('; ')}`);
      freeLine(replica, replicas, (seed + turn) % 2 === 0 ? 'takeRemote' : 'keepLocal', resolve);
    }
    const joined = world.init('D');
    const everybody = [...replicas, joined];
    syncAll(everybody, { facts: 7 });
    const blocked = joined.core().blocked();
    if (blocked.length > 0) return { faults: [`joined and blocked: ${blockedText(joined)}`], decisions };
    const faults = faultsOf(everybody, ledger.missing);
    if (faults.length > 0) everybody.forEach((replica) => trace(historyText(replica)));
    return { faults, decisions };
  } finally {
    world.close();
  }
}

/** Decides where a decision is possible; else takes away, at its origin, what the rows here forbid. */
function freeLine(
  replica: TestReplica,
  replicas: readonly TestReplica[],
  option: 'takeRemote' | 'keepLocal',
  resolve: (replica: TestReplica, option: 'takeRemote' | 'keepLocal') => void,
): void {
  const [blocked] = replica.core().blocked();
  if (blocked === undefined) return;
  if (blocked.options.includes(option)) {
    resolve(replica, option);
    return;
  }
  const origin = present(
    replicas.find((candidate) => candidate.core().identity().site === blocked.from),
    'the peer that brought it',
  );
  origin.core().exec(`DROP INDEX IF EXISTS "${blocked.object}"`);
}

const blockedText = (replica: TestReplica): string =>
  replica
    .core()
    .blocked()
    .map(({ cause, object, message }) => `${replica.name} ${cause} ${object}: ${message}`)
    .join(', ');

const historyText = (replica: TestReplica): string =>
  [
    `${replica.name}:`,
    ...replica
      .core()
      .migrations({ limit: 1_000 })
      .map(
        ({ seq, type, id, origin, hlc, verdict, reason, object }) =>
          `  ${seq} ${type} ${object} ${id.slice(0, 4)} of ${origin.slice(0, 4)} ${hlc.slice(17, 29)} ${verdict} ${reason}`,
      ),
  ].join('\n');

function rowsOrNone(replica: TestReplica, sql: string): readonly (readonly unknown[])[] {
  const result = replica.core().exec(sql);
  return result.ok ? (result.value[0]?.rows ?? []) : [];
}

const tokensOf = (rows: readonly (readonly unknown[])[]): ReadonlySet<string> =>
  new Set(rows.flat().filter((value): value is string => typeof value === 'string' && /^v\d+$/.test(value)));

function faultsOf(
  replicas: readonly TestReplica[],
  missing: (found: ReadonlySet<string>) => readonly string[],
): readonly string[] {
  const [first, ...others] = replicas;
  if (first === undefined) return [];
  const texts = contentOf(first);
  return [
    ...others.flatMap((other) => differenceOf({ first, texts, other })),
    ...replicas.flatMap((replica) => problemsOf(replica).map((problem) => `${replica.name}: ${problem}`)),
    ...missing(new Set(replicas.flatMap((replica) => [...tokensFound(replica)]))).map(
      (token) => `lost ${token}`,
    ),
    ...replicas.flatMap((to) =>
      replicas.flatMap((from) => {
        if (to === from) return [];
        const rows = to.pull(from).pages.flatMap(({ groups }) => groups);
        return rows.length === 0 ? [] : [`${to.name} is sent ${rows.length} groups by ${from.name} at rest`];
      }),
    ),
  ];
}

function differenceOf(input: {
  readonly first: TestReplica;
  readonly texts: ReadonlyMap<string, string>;
  readonly other: TestReplica;
}): readonly string[] {
  const { first, texts, other } = input;
  const theirs = contentOf(other);
  const names = [...new Set([...texts.keys(), ...theirs.keys()])].sort();
  const tables = names
    .filter((name) => texts.get(name) !== theirs.get(name))
    .map(
      (name) =>
        `${name}: ${first.name} has ${texts.get(name) ?? 'none'}, ${other.name} has ${theirs.get(name) ?? 'none'}`,
    );
  const isSame = first.core().status().fingerprint === other.core().status().fingerprint;
  const catalogs = [first, other].map((replica) =>
    replica
      .core()
      .catalog()
      .objects.map(({ ddl }) => ddl)
      .join('; '),
  );
  return isSame ? tables : [`fingerprints differ: ${catalogs.join(' | ')}`, ...tables];
}

/** Rows of each table with their columns in an order of their own: that of columns is drift. */
function contentOf(replica: TestReplica): ReadonlyMap<string, string> {
  const tables = replica
    .core()
    .catalog()
    .objects.filter(({ kind }) => kind === 'table');
  return new Map(
    tables.map(({ name, columns }) => {
      const names = columns.map((column) => column.name).sort();
      const shown = names.map((column) => `quote("${column}")`).join(` || ' ' || `);
      return [
        name,
        `(${names.join()}) ${replica.rows(`SELECT ${shown} FROM "${name}" ORDER BY 1`).flat().join('; ')}`,
      ];
    }),
  );
}

function tokensFound(replica: TestReplica): ReadonlySet<string> {
  const tables = replica
    .core()
    .catalog()
    .objects.filter(({ kind }) => kind === 'table');
  const inTables = tables.flatMap(({ name }) => replica.rows(`SELECT * FROM "${name}"`));
  const held = replica
    .core()
    .held({ limit: 100_000 })
    .map(({ values }) => Object.values(values));
  return tokensOf([...inTables, ...held]);
}

/** The shortest story that still fails, found by leaving steps out. */
export function shrinkStory(seed: number, steps: readonly StoryStep[]): readonly StoryStep[] {
  const fails = (candidate: readonly StoryStep[]): boolean => {
    try {
      return playStory(seed, candidate).faults.length > 0;
    } catch {
      return true;
    }
  };
  let left = steps;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < left.length;) {
      const candidate = [...left.slice(0, from), ...left.slice(from + size)];
      if (fails(candidate)) left = candidate;
      else from += size;
    }
  }
  return left;
}
