import { compareStamps } from '#shared/model/hlc.ts';
import type { Stamp } from '#shared/model/change-group.ts';

import { foldIdentifier } from '../../sql/fold-identifier.ts';

/** Something that wants a name, by the migration that gave it. */
export interface NameClaim<Key> {
  readonly key: Key;
  readonly name: string;
  /** Of the migration that gave the name. */
  readonly stamp: Stamp;
}

/**
 * Gives each of several things a name of its own. Depends on the set of claims alone.
 *
 * Of two that claim one name the later has it. Where its author knew of the other's claim, the other has left that name
 * there by a migration that is still on its way: until then it is called name_1. Two claims that did not
 * know of each other are a conflict, which a gate has refused; the rule holds for them all the same.
 */
export function shareNames<Key>(claims: readonly NameClaim<Key>[]): ReadonlyMap<Key, string> {
  const inOrder = claims.toSorted((left, right) => compareStamps(right.stamp, left.stamp));
  const names = new Map<Key, string>();
  const taken = new Set(claims.map(({ name }) => foldIdentifier(name)));
  const held = new Set<string>();
  for (const { key, name } of inOrder) {
    const isFree = !held.has(foldIdentifier(name));
    const given = isFree ? name : freeName(name, (candidate) => taken.has(foldIdentifier(candidate)));
    held.add(foldIdentifier(given));
    taken.add(foldIdentifier(given));
    names.set(key, given);
  }
  return names;
}

/** The first of name_1, name_2, ... that nothing else has. */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  let number = 1;
  while (isTaken(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}
