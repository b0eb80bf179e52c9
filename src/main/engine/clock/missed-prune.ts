import type { Stamp } from '#shared/model/change-group.ts';

/**
 * Finds a deletion that one side has pruned and the other did not know of; null when there is none, and the two may sync.
 *
 * `pruned` has a stamp for every site that the pruning side has facts of, with HLC 0 where it pruned nothing of it. Two sides that
 * have facts of no site in common never had a row in common: then nothing can have been missed.
 */
export function missedPrune(knows: readonly Stamp[], pruned: readonly Stamp[]): Stamp | null {
  const known = new Map(knows.map(({ site, hlc }) => [site, hlc]));
  if (!pruned.some(({ site }) => known.has(site))) return null;
  return pruned.find(({ site, hlc }) => hlc > (known.get(site) ?? 0n)) ?? null;
}
