import { present } from '#shared/assert.ts';

import { createSeededRandom } from './seeded-random.ts';

// Random stories of a few replicas as plain data: every step is what a person or a link does, so that a story that
// fails can be printed, cut down and told again. Pools are narrow on purpose: collisions are the rule.

export type Place = 0 | 1 | 2;

export type StoryStep =
  | { readonly kind: 'write'; readonly at: Place; readonly writes: readonly StoryWrite[] }
  /** DDL of one statement. */
  | { readonly kind: 'ddl'; readonly at: Place; readonly sql: string; readonly drops: string | null }
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
  | { readonly kind: 'resolve'; readonly at: Place; readonly option: 'takeRemote' | 'keepLocal' }
  | { readonly kind: 'reopen'; readonly at: Place };

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
  readonly steps: number;
}

export function tellStory(seed: number, pools: StoryPools): readonly StoryStep[] {
  const { draw } = createSeededRandom(seed);
  const below = (count: number): number => Math.floor(draw() * count);
  const pick = <T>(items: readonly T[]): T => present(items[below(items.length)], 'a pool that is not empty');
  const place = (): Place => pick([0, 1, 2] as const);
  let token = 0;

  const cells = (share: number): Readonly<Record<string, string>> => {
    const chosen = pools.columns.filter(() => draw() < share);
    return Object.fromEntries(
      (chosen.length === 0 ? [pick(pools.columns)] : chosen).map((name) => [name, `v${(token += 1)}`]),
    );
  };
  const write = (): StoryWrite => {
    const base = { table: pick(pools.tables), id: 1 + below(IDS) };
    const at = draw();
    if (at < 0.45) return { op: 'insert', ...base, cells: cells(0.7) };
    if (at < 0.8) return { op: 'update', ...base, cells: cells(0.4) };
    if (at < 0.95 || !pools.moves) return { op: 'delete', ...base };
    return { op: 'move', ...base, to: 1 + below(IDS) };
  };
  const ddl = (): StoryStep => {
    const table = pick(pools.tables);
    const at = draw();
    const step = (sql: string, drops: string | null = null): StoryStep => ({
      kind: 'ddl',
      at: place(),
      sql,
      drops,
    });
    if (at < 0.15 && pools.drops) return step(`DROP TABLE ${table}`, table);
    if (at < 0.4 && pools.added.length > 0)
      return step(`ALTER TABLE ${table} ADD COLUMN ${pick(pools.added)}`);
    if (at < 0.6 && pools.indexes.length > 0) return step(pick(pools.indexes).replaceAll('{t}', table));
    if (at < 0.7 && pools.indexes.length > 0)
      return step(
        `DROP INDEX ${
          pick(pools.indexes)
            .replaceAll('{t}', table)
            .match(/INDEX (\w+)/)?.[1] ?? ''
        }`,
      );
    return step(`CREATE TABLE ${table} ${pick(pools.shapes)}`);
  };
  const pull = (): StoryStep => {
    const to = place();
    const from = ((to + 1 + below(2)) % 3) as Place;
    return {
      kind: 'pull',
      to,
      from,
      facts: 1 + below(draw() < 0.5 ? 4 : 50),
      times: draw() < 0.2 ? 2 : 1,
      pages: draw() < 0.2 ? 1 + below(3) : 1_000,
    };
  };
  const step = (): StoryStep => {
    const at = draw();
    if (at < 0.5) return { kind: 'write', at: place(), writes: Array.from({ length: 1 + below(3) }, write) };
    if (at < 0.62) return ddl();
    if (at < 0.92) return pull();
    if (at < 0.97)
      return { kind: 'resolve', at: place(), option: pick(['takeRemote', 'keepLocal'] as const) };
    return { kind: 'reopen', at: place() };
  };
  const created = pools.tables.map((table): StoryStep => ({
    kind: 'ddl',
    at: place(),
    sql: `CREATE TABLE ${table} ${pick(pools.shapes)}`,
    drops: null,
  }));
  return [...created, ...Array.from({ length: pools.steps }, step)];
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
      return `${name(step.at)}: ${step.sql}`;
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
