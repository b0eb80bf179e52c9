import type { HeldCount } from '#main/replica/replica.ts';
import type { BlockedView } from '#shared/model/views.ts';
import type { Arrow, Step, StepAction } from '#main/scenario/scenario.ts';
import { checkConverged } from '#main/scenario/check-converged.ts';

import { waysOut } from '../support/ways-out.ts';
import type { Dice } from './chance.ts';
import type { Performance } from './perform.ts';
import type { Stage } from './stage.ts';
import { step, type Fault } from './story.ts';

/** How often the replicas come to rest blocked and somebody decides, until that counts as endless. */
const DECISIONS_MAX = 40;

/** A delivery without trouble. */
export const WELL = { duplicate: false, reorder: false, drop: 0 } as const;

export interface RestDeps {
  readonly stage: Stage;
  readonly performance: Performance;
  readonly dice: Dice;
  /** Replicas of the story, without the one that joins at the end. */
  readonly names: () => readonly string[];
  readonly joiner: string;
  /** How far any clock was ever ahead; milliseconds. */
  readonly aheadMs: number;
}

/**
 * Lets all come to rest: links are up, clocks right, and whoever is blocked decides. Then all must be equal, and a
 * replica that joins too. Gives the steps that were made, so that a scenario file can make them too.
 */
export async function comeToRest(
  deps: RestDeps,
): Promise<{ readonly steps: readonly Step[]; readonly faults: readonly Fault[] }> {
  const steps: Step[] = [];
  const act = async (next: Step): Promise<readonly Fault[]> => {
    steps.push(next);
    return deps.performance.act(next);
  };
  const faults = await firstFaults([
    () => inTurn(linkUp(deps), act),
    () => settle(deps, act),
    () => compare(deps, deps.names(), 'differ'),
    () => deps.performance.lookAtAll(),
    async () => Promise.resolve(deps.performance.cameBack()),
    () => inTurn(joinSteps(deps), act),
    () => stillBlocked(deps),
    () => compare(deps, [...deps.names(), deps.joiner], 'joined'),
    () => deps.performance.lookAtAll(),
  ]);
  return { steps, faults };
}

async function firstFaults(looks: readonly (() => Promise<readonly Fault[]>)[]): Promise<readonly Fault[]> {
  for (const look of looks) {
    const faults = await look();
    if (faults.length > 0) return faults;
  }
  return [];
}

async function inTurn(
  steps: readonly Step[],
  act: (next: Step) => Promise<readonly Fault[]>,
): Promise<readonly Fault[]> {
  return firstFaults(steps.map((next) => () => act(next)));
}

const linkUp = ({ names, aheadMs }: RestDeps): readonly Step[] => [
  ...pairsOf(names()).map((path) => step({ kind: 'resume', path })),
  step({ kind: 'clock', on: names(), offsetMs: 0 }),
  step({ kind: 'wait', ms: aheadMs + 1_000 }),
];

const joinSteps = ({ names, joiner }: RestDeps): readonly Step[] => [
  ...names().map((name) => step({ kind: 'resume', path: { from: joiner, to: name, isBothWays: true } })),
  step({ kind: 'sync', path: { kind: 'all' }, delivery: { ...WELL, pageFacts: 7 } }),
];

/** Links between each two, both ways. */
export const pairsOf = (names: readonly string[]): readonly Arrow[] =>
  names.flatMap((from, index) => names.slice(index + 1).map((to) => ({ from, to, isBothWays: true })));

/** Syncs and decides until nobody stands. Lines that a new site freed are asked again at the next sync only, and may stand again. */
async function settle(
  deps: RestDeps,
  act: (next: Step) => Promise<readonly Fault[]>,
): Promise<readonly Fault[]> {
  let isSure = true;
  for (let turn = 0; ; turn += 1) {
    const faults = await act(step({ kind: 'sync', path: { kind: 'all' }, delivery: WELL }));
    if (faults.length > 0)
      return faults.map((fault) => (fault.kind === 'refused' ? { ...fault, kind: 'noRest' } : fault));
    const stuck = await blockedOf(deps.stage, deps.names());
    const isFree = stuck.every(({ blocked }) => blocked.cause === 'tooOld');
    if (isFree && isSure) return [];
    isSure = true;
    if (isFree) continue;
    if (turn >= DECISIONS_MAX) return [stuckFault(stuck)];
    const decision = await decide(deps, { stuck, turn });
    const decided = await inTurn(decision, act);
    if (decided.length > 0) return decided;
    isSure = !decision.some((next) => next.kind === 'resolve' && next.with === 'newSite');
  }
}

interface Stuck {
  readonly name: string;
  readonly blocked: BlockedView;
}

async function blockedOf(stage: Stage, names: readonly string[]): Promise<readonly Stuck[]> {
  const all: Stuck[] = [];
  for (const name of names)
    for (const blocked of await (await stage.world.host(name)).blocked()) all.push({ name, blocked });
  return all;
}

async function stillBlocked({ stage, names, joiner }: RestDeps): Promise<readonly Fault[]> {
  const all = await blockedOf(stage, [...names(), joiner]);
  const stuck = all.filter(({ blocked }) => blocked.cause !== 'tooOld');
  return stuck.length === 0 ? [] : [{ ...stuckFault(stuck), kind: 'joined' }];
}

const stuckFault = (stuck: readonly Stuck[]): Fault => ({
  kind: 'stuck',
  text: stuck
    .map(({ name, blocked }) => `${name} ${blocked.cause} ${blocked.object}: ${blocked.message}`)
    .join('; '),
  expects: {
    kind: 'expect',
    expectation: { kind: 'notBlocked', replicas: [...new Set(stuck.map(({ name }) => name))] },
  },
});

/**
 * What a person does to free a line: decides, where a decision is possible; else takes away what is in the way, here or
 * at its origin. `turn` varies what is tried, so that nobody does the same thing for ever.
 */
async function decide(
  { stage, dice, names }: RestDeps,
  { stuck, turn }: { readonly stuck: readonly Stuck[]; readonly turn: number },
): Promise<readonly Step[]> {
  const { name, blocked } = dice.pick(stuck.filter((one) => one.blocked.cause !== 'tooOld'));
  const { object, options } = blocked;
  if (options.includes('newSite'))
    return [step({ kind: 'resolve', on: [name], object: '', with: 'newSite' }, { mayFail: true })];
  const option = dice.pick(['takeRemote', 'keepLocal'] as const);
  if (options.includes(option))
    return [step({ kind: 'resolve', on: [name], object, with: option }, { mayFail: true })];
  const sites = new Map<string, string>();
  for (const other of names()) sites.set((await (await stage.world.host(other)).identity()).site, other);
  const ways = waysOut(blocked);
  const way = ways[turn % ways.length];
  const at = way?.at === 'origin' ? sites.get(blocked.from) : name;
  return way === undefined || at === undefined
    ? []
    : [step({ kind: 'sql', on: [at], sql: way.sql }, { mayFail: true })];
}

async function compare(
  { stage }: RestDeps,
  names: readonly string[],
  kind: 'differ' | 'joined',
): Promise<readonly Fault[]> {
  // Who is too old gets nothing until it is made anew: engine.md, section 4.
  const isTooOld = (await blockedOf(stage, names)).some(({ blocked }) => blocked.cause === 'tooOld');
  if (isTooOld) return [];
  const outcome = await checkConverged(stage.world, names);
  if (!outcome.passed)
    return [
      {
        kind,
        text: outcome.there,
        expects: { kind: 'expect', expectation: { kind: 'converged', replicas: names } },
      },
    ];
  return compareHeld(stage, names, kind);
}

/** Held on every replica alike: engine.md, section 4, and section 3 for `notNull`. */
const ALIKE: ReadonlySet<string> = new Set(['uniqueCollision', 'notNull']);

async function compareHeld(
  stage: Stage,
  names: readonly string[],
  kind: 'differ' | 'joined',
): Promise<readonly Fault[]> {
  const texts: string[] = [];
  for (const name of names) {
    const counts = await countTravelling(stage, name);
    const alike = counts.filter(({ reason }) => ALIKE.has(reason));
    texts.push(
      [
        ...alike.map(({ table, reason, rows }) => `${rows} of ${table} (${reason})`),
        ...(kind === 'differ' && counts.some(({ reason }) => reason === 'droppedTable') ? [OF_DROPPED] : []),
      ].join(', '),
    );
  }
  if (new Set(texts).size === 1) return [];
  const said = names.map(
    (name, index) => `${name} holds ${texts[index] === '' ? 'nothing' : (texts[index] ?? '')}`,
  );
  return [{ kind: 'heldDiffer', text: said.join('; '), expects: await heldAlike(stage, names) }];
}

/** Rows held per table and reason, but for rows without a key: they are no facts, and nobody else's (engine.md, section 1). */
async function countTravelling(stage: Stage, name: string): Promise<readonly HeldCount[]> {
  const held = await (await stage.world.host(name)).held({ limit: HELD_MAX });
  const keys = new Map<string, Omit<HeldCount, 'rows'> & { readonly of: Set<string> }>();
  for (const { table, reason, key, op } of held) {
    if (op === 'migration' || key.length === 0 || key.includes(null)) continue;
    const place = `${table} ${reason}`;
    const known = keys.get(place) ?? { table, reason, of: new Set<string>() };
    known.of.add(JSON.stringify(key));
    keys.set(place, known);
  }
  return [...keys.values()].map(({ table, reason, of }) => ({ table, reason, rows: of.size }));
}

/** More than any story holds. */
const HELD_MAX = 10_000;

/** As much held everywhere as where it is most, of the first table and reason of which it differs. */
async function heldAlike(stage: Stage, names: readonly string[]): Promise<StepAction | null> {
  const all = await Promise.all(names.map((name) => countTravelling(stage, name)));
  for (const { table, reason } of all.flat()) {
    const rows = all.map(
      (counts) => counts.find((one) => one.table === table && one.reason === reason)?.rows ?? 0,
    );
    if (new Set(rows).size === 1) continue;
    const count = BigInt(Math.max(...rows));
    return { kind: 'expect', expectation: { kind: 'held', on: names, table, reason, count } };
  }
  return null;
}

/**
 * What a drop did not know of is held on every replica, the writer's included (section 6), but for who joined since
 * (section 8). How many rows differs by how much of it had become one row, under which name, when the drop came.
 */
const OF_DROPPED = 'rows of dropped tables';
