import { present } from '#shared/assert.ts';
import type { Delivery, ScenarioReplica, Step } from '#main/scenario/scenario.ts';

import { SCHEMA_POOLS } from '../support/convergence-dialect.ts';
import { writeSql, type StoryDialect, type StoryStep } from '../support/convergence-steps.ts';

import { companionDdl, companionTables } from './companion-ddl.ts';
import type { Dice } from './chance.ts';
import type { Content } from './content.ts';
import { pairsOf, WELL } from './rest.ts';
import { rowStatement } from './row-statements.ts';
import type { Stage } from './stage.ts';
import { step } from './story.ts';

/** What kind of a world a story plays in; drawn at its beginning. */
export interface Weather {
  readonly replicas: number;
  readonly dialect: keyof typeof SCHEMA_POOLS | 'none';
  /** Tables with foreign keys, unique keys and triggers beside those of the dialect. */
  readonly companions: boolean;
  /** How many tables have rows written, so that replicas meet on them. */
  readonly tables: number;
  readonly ddlShare: number;
  readonly otherPrograms: number;
  readonly clocks: 'right' | 'skewed' | 'wild';
  readonly partitions: boolean;
  readonly crashes: boolean;
  readonly trouble: boolean;
  /** Files are put back or copied. */
  readonly copies: boolean;
  /** Weeks pass, and what is old is pruned. */
  readonly pruning: boolean;
}

/** Draws the weather; `replicas` is how many there are to be, if that is given. */
export function drawWeather(dice: Dice, replicas: number | null): Weather {
  return {
    replicas:
      replicas ??
      dice.weighted([
        [68, 3],
        [16, 4],
        [8, 5],
        [4, 6],
        [2, 7],
        [2, 8],
      ] as const),
    dialect: dice.weighted([
      [30, 'dialect'],
      [18, 'native'],
      [14, 'rekeying'],
      [14, 'twins'],
      [24, 'none'],
    ] as const),
    companions: dice.happens(0.5),
    tables: dice.pick([1, 2, 8]),
    ddlShare: dice.pick([0.08, 0.2, 0.35]),
    otherPrograms: dice.pick([0.1, 0.3, 0.6]),
    clocks: dice.weighted([
      [40, 'right'],
      [45, 'skewed'],
      [15, 'wild'],
    ] as const),
    partitions: dice.happens(0.35),
    crashes: dice.happens(0.5),
    trouble: dice.happens(0.7),
    copies: dice.happens(0.15),
    pruning: dice.happens(0.1),
  };
}

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const DAY_MS = 86_400_000;
export const JOINER = 'z';

export const namesIn = ({ replicas }: Weather): readonly string[] => LETTERS.slice(0, replicas);

/** The replicas of a story, and the one that joins at its end. */
export function replicasOf(dice: Dice, weather: Weather): readonly ScenarioReplica[] {
  const fresh = { settings: {}, origin: { kind: 'fresh' } } as const;
  return [
    ...namesIn(weather).map((name) => ({ ...fresh, name, clockOffsetMs: drawOffset(dice, weather.clocks) })),
    { ...fresh, name: JOINER, clockOffsetMs: 0 },
  ];
}

/** Until all is told nobody syncs with the one that joins. */
export const prologue = (names: readonly string[]): readonly Step[] =>
  names.map((name) => step({ kind: 'pause', path: { from: JOINER, to: name, isBothWays: true } }));

function drawOffset(dice: Dice, clocks: Weather['clocks']): number {
  if (clocks === 'right') return 0;
  const near = [-45_000, -5_000, -300, 0, 0, 300, 5_000, 45_000];
  return dice.pick(clocks === 'skewed' ? near : [...near, -10_800_000, 90_000, 600_000, 10_800_000]);
}

export interface Teller {
  readonly opening: readonly Step[];
  /** The next step, given what is there. */
  readonly next: () => Promise<Step>;
  /** Whether the last step is not whole without the next one. */
  readonly isMidway: () => boolean;
  /** Called after each step: now and then a file is kept, to be put back later. */
  readonly keep: (step: number) => Promise<void>;
}

/** Tells a story step by step: what is there on the stage says what can happen next. */
export function createTeller(dice: Dice, weather: Weather, stage: Stage): Teller {
  const names = [...namesIn(weather)];
  const following: Step[] = [];
  const kept: { readonly name: string; readonly step: number }[] = [];
  const pools = weather.dialect === 'none' ? null : SCHEMA_POOLS[weather.dialect];
  const dialect = pools?.dialect(dice) ?? null;
  const anybody = (): string => dice.pick(names);
  const content = (name: string): Content => stage.presence(name).content;

  return {
    opening: openingOf({ dice, weather, dialect, names }),
    next,
    isMidway: () => following.length > 0,
    keep,
  };

  async function next(): Promise<Step> {
    const follows = following.shift();
    if (follows !== undefined) return follows;
    const kind = dice.weighted(kindsIn(weather));
    switch (kind) {
      case 'rows':
        return rows(anybody());
      case 'ddl':
        return ddl(anybody());
      case 'pull':
        return pull();
      case 'resolve':
        return (await resolve(anybody())) ?? pull();
      default:
        return rare(kind);
    }
  }

  async function keep(number: number): Promise<void> {
    if (!weather.copies || !dice.happens(0.1)) return;
    const name = anybody();
    await stage.keep(name, number);
    kept.push({ name, step: number });
  }

  function rows(name: string): Step {
    const planned = dialect !== null && dice.happens(0.25) ? writeSql(dialect.write()) : null;
    const sql = planned ?? rowStatement(dice, content(name), weather.tables);
    if (sql === null) return ddl(name);
    const kind = dice.happens(weather.otherPrograms) ? 'external' : 'sql';
    return step({ kind, on: [name], sql, ...(kind === 'sql' && death()) }, { mayFail: true });
  }

  function ddl(name: string): Step {
    const told = dialect === null || (weather.companions && dice.happens(0.3)) ? null : dialect.ddl();
    if (told !== null) {
      const kind = told.by === 'concord' ? 'sql' : 'external';
      return step({ kind, on: [name], sql: told.sql, ...(kind === 'sql' && death()) }, { mayFail: true });
    }
    const kind = dice.happens(weather.otherPrograms / 2) ? 'external' : 'sql';
    return step({ kind, on: [name], sql: companionDdl(dice) }, { mayFail: true });
  }

  function death(): { readonly killAtWrite?: number } {
    return weather.crashes && dice.happens(0.04) ? { killAtWrite: dice.between(1, 30) } : {};
  }

  function pull(): Step {
    const to = anybody();
    const from = dice.pick(names.filter((name) => name !== to));
    const path = { kind: 'pair', from, to, isBothWays: dice.happens(0.1) } as const;
    return step({ kind: 'sync', path, delivery: delivery() });
  }

  function delivery(): Delivery {
    const facts = dice.weighted([
      [40, null],
      [25, dice.between(1, 4)],
      [35, dice.between(5, 50)],
    ] as const);
    const size = facts === null ? {} : { pageFacts: facts };
    const deadly = weather.crashes && dice.happens(0.06) ? { killAtWrite: dice.between(1, 60) } : {};
    if (!weather.trouble) return { ...WELL, ...size, ...deadly };
    return {
      duplicate: dice.happens(0.15),
      reorder: dice.happens(0.35),
      drop: dice.happens(0.1) ? 0.3 : 0,
      ...(dice.happens(0.15) && { pages: dice.between(1, 3) }),
      ...size,
      ...deadly,
    };
  }

  async function resolve(name: string): Promise<Step | null> {
    const host = stage.isUp(name) ? await stage.world.host(name) : null;
    const blocked = (await host?.blocked()) ?? [];
    const [first] = blocked;
    const option = dice.pick(['takeRemote', 'keepLocal'] as const);
    if (first?.options.includes(option) !== true) return null;
    return step({ kind: 'resolve', on: [name], object: first.object, with: option }, { mayFail: true });
  }

  function rare(kind: Exclude<Kind, 'rows' | 'ddl' | 'pull' | 'resolve'>): Step {
    const on = [anybody()];
    switch (kind) {
      case 'all':
        return step({ kind: 'sync', path: { kind: 'all' }, delivery: WELL });
      case 'clock':
        return step({ kind: 'clock', on, offsetMs: drawOffset(dice, weather.clocks) });
      case 'wait':
        return step({ kind: 'wait', ms: dice.pick([1, 50, 1_000, 70_000]) });
      case 'crash':
      case 'reopen':
        return step({ kind, on });
      case 'notice':
        return step({ kind: 'notice', on, ...death() });
      case 'pause':
      case 'resume':
        return step({ kind, path: { ...dice.pick(pairsOf(names)), isBothWays: true } });
      default:
        return ofFiles(kind);
    }
  }

  function ofFiles(kind: 'prune' | 'weeks' | 'restore' | 'copy'): Step {
    switch (kind) {
      case 'prune':
        return step({ kind, on: [anybody()], olderThanMs: 30 * DAY_MS });
      case 'weeks':
        return step({ kind: 'wait', ms: dice.between(5, 40) * DAY_MS });
      case 'restore':
        return kept.length === 0 ? pull() : restore();
      case 'copy':
        return copy();
    }
  }

  function restore(): Step {
    const { name, step: fromStep } = dice.pick(kept);
    return step({ kind: 'restore', on: [name], fromStep });
  }

  function copy(): Step {
    const from = anybody();
    const to = `${from}${names.length}`;
    names.push(to);
    // The copy is no more linked with who joins than the others are.
    following.push(...prologue([to]));
    return step({ kind: 'copy', from, to });
  }
}

type Kind =
  | 'prune'
  | 'weeks'
  | 'restore'
  | 'copy'
  | 'rows'
  | 'ddl'
  | 'pull'
  | 'resolve'
  | 'all'
  | 'clock'
  | 'wait'
  | 'crash'
  | 'reopen'
  | 'notice'
  | 'pause'
  | 'resume';

const kindsIn = (weather: Weather): readonly (readonly [number, Kind])[] => [
  [60 * (1 - weather.ddlShare), 'rows'],
  [60 * weather.ddlShare, 'ddl'],
  [32, 'pull'],
  [3, 'resolve'],
  [1, 'all'],
  [weather.clocks === 'right' ? 0 : 3, 'clock'],
  [2, 'wait'],
  [weather.crashes ? 2 : 0, 'crash'],
  [1.5, 'reopen'],
  [2, 'notice'],
  [weather.partitions ? 2 : 0, 'pause'],
  [weather.partitions ? 2 : 0, 'resume'],
  [weather.copies ? 3 : 0, 'restore'],
  [weather.copies ? 1 : 0, 'copy'],
  [weather.pruning ? 2 : 0, 'prune'],
  [weather.pruning ? 3 : 0, 'weeks'],
];

/** Mostly all begin with the same tables; else each makes its own. */
function openingOf(given: {
  readonly dice: Dice;
  readonly weather: Weather;
  readonly dialect: StoryDialect | null;
  readonly names: readonly string[];
}): readonly Step[] {
  const { dice, weather, dialect, names } = given;
  const first = present(names[0], 'a story has replicas');
  const isTogether = dice.happens(0.75);
  const at = (): readonly string[] => [isTogether ? first : dice.pick(names)];
  const told = (dialect?.opening ?? []).flatMap((one) => openingStep(one, at()));
  const companions = weather.companions || dialect === null ? companionTables(dice) : [];
  const made = companions.map((sql) => step({ kind: 'sql', on: at(), sql }, { mayFail: true }));
  const pulls = names
    .slice(1)
    .map((to) =>
      step({ kind: 'sync', path: { kind: 'pair', from: first, to, isBothWays: false }, delivery: WELL }),
    );
  return [...told, ...made, ...(isTogether ? pulls : [])];
}

function openingStep(told: StoryStep, on: readonly string[]): readonly Step[] {
  if (told.kind === 'ddl') return [step({ kind: 'sql', on, sql: told.sql }, { mayFail: true })];
  if (told.kind !== 'write') return [];
  return told.writes.map((write) => step({ kind: 'sql', on, sql: writeSql(write) }, { mayFail: true }));
}
