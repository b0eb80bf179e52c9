import { SCHEMA_POOLS } from './convergence-dialect.ts';
import { POOLS } from './convergence-pools.ts';
import { SCENE_SORTS, tellScenes } from './convergence-scenes.ts';
import { tellStory } from './convergence-steps.ts';
import type { StoryPools, StoryStep } from './convergence-steps.ts';
import type { StoryOptions } from './convergence-story.ts';

/** A pool of random stories. */
export interface StoryTeller {
  readonly pool: string;
  /** How many of its stories each test run tells, from seed 1 on. */
  readonly seeds: number;
  readonly tell: (seed: number) => readonly StoryStep[];
  readonly how: StoryOptions;
}

/** Long ones take as long as five. */
const SCHEMA_SEEDS: Readonly<Record<string, number>> = { long: 5, calm: 45, renamed: 10, decided: 30 };

/** Where nobody comes in anybody's way: a blocked line is a fault. */
const CALM: ReadonlySet<string> = new Set(['calm', 'renamed', 'columns']);

/** Random catalogs and DDL of every form with rows in between, and scenes around one hazard each. */
export const SCHEMA_TELLERS: readonly StoryTeller[] = [
  ...SCENE_SORTS.map((sort) => schemaTeller(sort, (seed) => tellScenes(seed, sort))),
  ...Object.entries<StoryPools>(SCHEMA_POOLS).map(([pool, pools]) =>
    schemaTeller(pool, (seed) => tellStory(seed, pools)),
  ),
];

/** Rows on few tables, with every value accounted for. */
export const ROW_TELLERS: readonly StoryTeller[] = Object.entries<StoryPools>(POOLS).map(([pool, pools]) => ({
  pool,
  seeds: 6,
  tell: (seed) => tellStory(seed, pools),
  how: {},
}));

function schemaTeller(pool: string, tell: StoryTeller['tell']): StoryTeller {
  return {
    pool,
    seeds: SCHEMA_SEEDS[pool] ?? 10,
    tell,
    how: { account: false, isCalm: CALM.has(pool) },
  };
}
