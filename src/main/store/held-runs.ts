import type { ChangeGroup } from '#shared/model/change-group.ts';

import type { HeldEntry } from './held-entries.ts';

/** Entries that are tried together, at most. */
const RUN_MAX = 500;

/** Neighbours that were written together and never changed: rows of one transaction, mostly. They are tried together. */
export function alikeRuns(entries: Iterable<HeldEntry>): readonly (readonly HeldEntry[])[] {
  const runs: HeldEntry[][] = [];
  let before: string | null = null;
  for (const entry of entries) {
    const likeness = likenessOf(entry);
    const run = runs.at(-1);
    if (run !== undefined && likeness !== null && likeness === before && run.length < RUN_MAX)
      run.push(entry);
    else runs.push([entry]);
    before = likeness;
  }
  return runs;
}

/** What entries have in common whose rows can stand in one block; null of those that stand alone. */
function likenessOf({ op, via, group }: HeldEntry): string | null {
  const [block] = group.blocks;
  const [reference] = group.tables;
  if (op !== 'row' || block === undefined || reference === undefined) return null;
  if (block.lives.length > 0 || block.clocks.length > 0 || group.sites.length > 1) return null;
  return JSON.stringify([
    via,
    String(block.hlc),
    group.sites,
    reference.id,
    reference.columns.map(({ id }) => id),
    reference.key,
    block.columns,
  ]);
}

/** The rows of a run as one group. */
export function joinRun(run: readonly HeldEntry[]): ChangeGroup {
  const [first] = run;
  const [block] = first?.group.blocks ?? [];
  if (first === undefined || block === undefined) throw new Error('A run of held rows has at least one.');
  const rows = run.flatMap(({ group }) => group.blocks.flatMap((one) => one.rows));
  return { ...first.group, blocks: [{ ...block, rows }] };
}
