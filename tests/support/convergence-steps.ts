import { present } from '#shared/assert.ts';

import { createSeededRandom } from './seeded-random.ts';

// Random stories of a few replicas as plain data: every step is what a person or a link does, so that a story that
// fails can be printed, cut down and told again. Pools are narrow on purpose: collisions are the rule.

export type Place = 0 | 1 | 2;

export type Decision = 'takeRemote' | 'keepLocal';

export type StoryStep =
  | { readonly kind: 'write'; readonly at: Place; readonly writes: readonly StoryWrite[] }
  | StoryDdl
  | {
      readonly kind: 'pull';
      readonly to: Place;
      readonly from: Place;
      readonly facts: number;
      readonly times: number;
      /** Pages after which the link breaks. */
      readonly pages: number;
    }
  /** The first thing that a replica is blocked on is answered, if it is blocked. */
  | { readonly kind: 'resolve'; readonly at: Place; readonly option: Decision }
  | { readonly kind: 'reopen'; readonly at: Place };

/** DDL: one statement, or a transaction. */
export interface StoryDdl {
  readonly kind: 'ddl';
  readonly at: Place;
  readonly sql: string;
  /** The table whose rows go with it. */
  readonly drops: string | null;
  /** Through Concord, or as another program does with plain SQLite. */
  readonly by: 'concord' | 'another program';
}

/** A change of one row. Values are unique tokens, so that each can be found again. */
export type StoryWrite =
  | {
      readonly op: 'insert';
      readonly table: string;
      readonly id: number;
      readonly cells: Readonly<Record<string, string>>;
    }
  | {
      readonly op: 'update';
      readonly table: string;
      readonly id: number;
      readonly cells: Readonly<Record<string, string>>;
    }
  | { readonly op: 'delete'; readonly table: string; readonly id: number }
  | { readonly op: 'move'; readonly table: string; readonly id: number; readonly to: number };

/** What may happen in a story. */
export interface StoryPools {
  readonly tables: readonly string[];
  /** What stands in the parentheses of a CREATE TABLE, and after them. */
  readonly shapes: readonly string[];
  /** Definitions of columns that are added. */
  readonly added: readonly string[];
  /** Indexes: name, and what stands after it, with `{t}` for the table. */
  readonly indexes: readonly string[];
  /** Columns that are written, some of which a table may lack. */
  readonly columns: readonly string[];
  /** Whether keys are changed. */
  readonly moves: boolean;
  /** Whether tables are dropped. */
  readonly drops: boolean;
  /** Takes the place of what the pools above make. */
  readonly dialect?: (chance: Chance) => StoryDialect;
  /** Share of steps that are DDL; an eighth otherwise. */
  readonly ddlShare?: number;
  readonly steps: number;
}

/** What a story is told with that keeps in mind, roughly, what is there. */
export interface StoryDialect {
  readonly opening: readonly StoryStep[];
  readonly ddl: () => StoryDdl;
  readonly write: () => StoryWrite;
}

/** Tells a story of so many steps: the same seed, the same story. */
export function tellStory(seed: number, pools: StoryPools): readonly StoryStep[] {
  const chance = createChance(seed);
  const { opening, ddl, write } = pools.dialect?.(chance) ?? simpleDialect(chance, pools);
  const { ddlShare = 0.12 } = pools;
  const next = (): StoryStep => (chance.draw() < ddlShare ? ddl() : nextStep(chance, write));
  return [...opening, ...Array.from({ length: pools.steps }, next)];
}

const simpleDialect = (chance: Chance, pools: StoryPools): StoryDialect => ({
  opening: pools.tables.map((table) => createTable(chance, table, pools)),
  ddl: () => nextDdl(chance, pools),
  write: () => nextWrite(chance, pools),
});

export interface Chance {
  readonly draw: () => number;
  readonly below: (count: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly place: () => Place;
  readonly token: () => string;
}

export function createChance(seed: number): Chance {
  const { draw } = createSeededRandom(seed);
  const below = (count: number): number => Math.floor(draw() * count);
  const pick = <T>(items: readonly T[]): T => present(items[below(items.length)], 'a pool that is not empty');
  let tokens = 0;
  return { draw, below, pick, place: () => pick([0, 1, 2] as const), token: () => `v${(tokens += 1)}` };
}

function nextStep(chance: Chance, write: () => StoryWrite): StoryStep {
  const at = chance.draw();
  if (at < 0.56)
    return { kind: 'write', at: chance.place(), writes: Array.from({ length: 1 + chance.below(3) }, write) };
  if (at < 0.91) return nextPull(chance);
  if (at < 0.97) {
    return { kind: 'resolve', at: chance.place(), option: chance.pick(['takeRemote', 'keepLocal'] as const) };
  }
  return { kind: 'reopen', at: chance.place() };
}

function nextWrite(chance: Chance, pools: StoryPools): StoryWrite {
  const base = { table: chance.pick(pools.tables), id: 1 + chance.below(IDS) };
  const at = chance.draw();
  if (at < 0.45) return { op: 'insert', ...base, cells: nextCells(chance, pools, 0.7) };
  if (at < 0.8) return { op: 'update', ...base, cells: nextCells(chance, pools, 0.4) };
  if (at < 0.95 || !pools.moves) return { op: 'delete', ...base };
  return { op: 'move', ...base, to: 1 + chance.below(IDS) };
}

function nextCells(chance: Chance, pools: StoryPools, share: number): Readonly<Record<string, string>> {
  const chosen = pools.columns.filter(() => chance.draw() < share);
  const names = chosen.length === 0 ? [chance.pick(pools.columns)] : chosen;
  return Object.fromEntries(names.map((name) => [name, chance.token()]));
}

function nextDdl(chance: Chance, pools: StoryPools): StoryDdl {
  const table = chance.pick(pools.tables);
  const at = chance.draw();
  if (at < 0.15 && pools.drops) return ddl(chance, `DROP TABLE ${table}`, table);
  if (at < 0.4 && pools.added.length > 0)
    return ddl(chance, `ALTER TABLE ${table} ADD COLUMN ${chance.pick(pools.added)}`);
  if (at < 0.7 && pools.indexes.length > 0) return nextIndex(chance, table, pools);
  return createTable(chance, table, pools);
}

function nextIndex(chance: Chance, table: string, pools: StoryPools): StoryDdl {
  const create = chance.pick(pools.indexes).replaceAll('{t}', table);
  const name = / INDEX (\w+) /.exec(create)?.[1] ?? '';
  return ddl(chance, chance.draw() < 0.65 ? create : `DROP INDEX ${name}`);
}

const createTable = (chance: Chance, table: string, pools: StoryPools): StoryDdl =>
  ddl(chance, `CREATE TABLE ${table} ${chance.pick(pools.shapes)}`);

const ddl = (chance: Chance, sql: string, drops: string | null = null): StoryDdl => ({
  kind: 'ddl',
  at: chance.place(),
  sql,
  drops,
  by: 'concord',
});

function nextPull(chance: Chance): StoryStep {
  const to = chance.place();
  return {
    kind: 'pull',
    to,
    from: chance.pick(([0, 1, 2] as const).filter((place) => place !== to)),
    facts: 1 + chance.below(chance.draw() < 0.5 ? 4 : 50),
    times: chance.draw() < 0.2 ? 2 : 1,
    pages: chance.draw() < 0.2 ? 1 + chance.below(3) : 1_000,
  };
}

/** Keys are few, so that replicas meet on them. */
const IDS = 4;

/** A step in one line. */
export function stepText(step: StoryStep): string {
  const name = (place: Place): string => 'ABC'.charAt(place);
  switch (step.kind) {
    case 'write':
      return `${name(step.at)}: ${step.writes.map(writeSql).join('; ')}`;
    case 'ddl':
      return `${name(step.at)}${step.by === 'concord' ? '' : ' plain'}: ${step.sql}`;
    case 'pull':
      return `${name(step.to)} pulls from ${name(step.from)} facts ${step.facts} times ${step.times} pages ${step.pages}`;
    case 'resolve':
      return `${name(step.at)} ${step.option}`;
    case 'reopen':
      return `${name(step.at)} reopens`;
  }
}

export function writeSql(write: StoryWrite): string {
  const { table, id } = write;
  switch (write.op) {
    case 'insert': {
      const names = Object.keys(write.cells);
      const values = names.map((name) => `'${write.cells[name] ?? ''}'`);
      return `INSERT INTO ${table} (${['id', ...names].join(', ')}) VALUES (${[id, ...values].join(', ')})`;
    }
    case 'update':
      return `UPDATE ${table} SET ${Object.entries(write.cells)
        .map(([name, value]) => `${name} = '${value}'`)
        .join(', ')} WHERE id = ${id}`;
    case 'delete':
      return `DELETE FROM ${table} WHERE id = ${id}`;
    case 'move':
      return `UPDATE ${table} SET id = ${write.to} WHERE id = ${id}`;
  }
}
