import type { Chance, Decision, Place, StoryStep, StoryWrite } from './convergence-steps.ts';

// What scenes are told with (convergence-scenes.ts).

/** Who plays a scene, and on what. */
export interface Cast {
  readonly chance: Chance;
  /** Three people, in an order of their own in each scene. */
  readonly p: Place;
  readonly q: Place;
  readonly r: Place;
  /** Tables and views of the scene begin with this. */
  readonly t: string;
}

export type Scene = (cast: Cast) => readonly StoryStep[];

export const IDS = 4;

export const sql = (at: Place, text: string): StoryStep => ({
  kind: 'ddl',
  at,
  sql: text,
  drops: null,
  by: 'concord',
});

export const pull = (to: Place, from: Place): StoryStep => ({
  kind: 'pull',
  to,
  from,
  facts: 50,
  times: 1,
  pages: 1_000,
});

export const decide = (at: Place, option: Decision): StoryStep => ({ kind: 'resolve', at, option });

/** Sometimes. */
export const maybe = (
  { chance }: Cast,
  share: number,
  ...steps: readonly StoryStep[]
): readonly StoryStep[] => (chance.draw() < share ? steps : []);

/** The steps in any order. */
export function anyOrder({ chance }: Cast, steps: readonly StoryStep[]): readonly StoryStep[] {
  const left = [...steps];
  return steps.flatMap(() => left.splice(chance.below(left.length), 1));
}

/** Several lines, each in its order, side by side. */
export function interleave(chance: Chance, lines: readonly (readonly StoryStep[])[]): readonly StoryStep[] {
  const left = lines.map((line) => [...line]);
  const all = lines.flat();
  return all.flatMap(() => {
    const going = left.filter((line) => line.length > 0);
    return chance.pick(going).splice(0, 1);
  });
}

export const write = (at: Place, ...writes: readonly StoryWrite[]): StoryStep => ({
  kind: 'write',
  at,
  writes,
});

/** A table with a row for each ID, known to all three. */
export function shared(
  { chance, p, q, r, t }: Cast,
  shape: string,
  columns: readonly string[],
): readonly StoryStep[] {
  return [
    sql(p, `CREATE TABLE ${t} ${shape}`),
    write(p, ...Array.from({ length: IDS }, (_value, place) => insert({ chance, t }, place + 1, columns))),
    pull(q, p),
    pull(r, p),
  ];
}

const cellsOf = (chance: Chance, columns: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(columns.map((column) => [column, chance.token()]));

export const insert = (
  { chance, t }: Pick<Cast, 'chance' | 't'>,
  id: number,
  columns: readonly string[],
): StoryWrite => ({
  op: 'insert',
  table: t,
  id,
  cells: cellsOf(chance, columns),
});

export const update = ({ chance, t }: Cast, ...columns: readonly string[]): StoryWrite => ({
  op: 'update',
  table: t,
  id: 1 + chance.below(IDS),
  cells: cellsOf(chance, columns),
});

export const remove = ({ chance, t }: Cast): StoryWrite => ({
  op: 'delete',
  table: t,
  id: 1 + chance.below(IDS),
});

export const PLAIN = '(id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT)';

/** Two columns swap their names. */
export const swapColumns = (t: string): string =>
  ['a TO x', 'b TO a', 'x TO b'].map((part) => `ALTER TABLE ${t} RENAME COLUMN ${part}`).join('; ');
