import { isScalar } from 'yaml';

import type { Arrow, SyncPath } from './scenario.ts';
import { filledList, filledText, mistake, type Place, type Reader, type Scope } from './yaml-readers.ts';

// How scenario files name replicas, and the arrows between them.

const NAME = /^[A-Za-z0-9_][\w.-]*$/;
const ARROW = /^([A-Za-z0-9_][\w.-]*?)\s*(->|<->)\s*([A-Za-z0-9_][\w.-]*)$/;

/** Reads the name of a replica that is not there yet. */
export const newReplica: Reader<string> = (place, scope) => {
  const name = filledText(place, scope);
  if (!NAME.test(name)) {
    return mistake(place, `"${name}" cannot name a replica: use letters, digits, "_", "-" and "."`);
  }
  if (scope.replicas.has(name)) return mistake(place, `there is a replica "${name}" already`);
  return name;
};

/** Reads the name of a replica that is there by now. */
export const replica: Reader<string> = (place, scope) => knownReplica(filledText(place, scope), place, scope);

/** Reads a name or a list of names. */
export const replicas: Reader<readonly string[]> = (place, scope) =>
  isScalar(place.node) ? [replica(place, scope)] : filledList(replica)(place, scope);

/** Reads at least two names. */
export const severalReplicas: Reader<readonly string[]> = (place, scope) => {
  const names = replicas(place, scope);
  return names.length > 1 ? names : mistake(place, `${place.what} compares replicas: name at least two`);
};

/** Reads `a -> b` or `a <-> b`. */
export const arrow: Reader<Arrow> = (place, scope) => {
  const said = filledText(place, scope).trim();
  const parts = ARROW.exec(said);
  if (parts === null) return mistake(place, `${place.what} must read "a -> b" or "a <-> b", not "${said}"`);
  const [, from = '', sign, to = ''] = parts;
  knownReplica(from, place, scope);
  knownReplica(to, place, scope);
  if (from === to) return mistake(place, `${place.what} names "${from}" on both ends`);
  return { from, to, isBothWays: sign === '<->' };
};

/** Reads `all`, `a -> b` or `a <-> b`. */
export const syncPath: Reader<SyncPath> = (place, scope) => {
  const said = filledText(place, scope).trim();
  if (said === 'all') return { kind: 'all' };
  if (!ARROW.test(said)) {
    return mistake(place, `${place.what} must read "a -> b", "a <-> b" or "all", not "${said}"`);
  }
  return { kind: 'pair', ...arrow(place, scope) };
};

function knownReplica(name: string, place: Place, scope: Scope): string {
  if (scope.replicas.has(name)) return name;
  const known = [...scope.replicas].join(', ');
  return mistake(place, `unknown replica "${name}"; there are: ${known}`);
}
