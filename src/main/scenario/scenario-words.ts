import { isScalar } from 'yaml';

import type { Arrow, SyncPath } from './scenario.ts';
import {
  filledList,
  filledText,
  mistake,
  nodeText,
  scalar,
  type Place,
  type Reader,
  type Scope,
} from './yaml-readers.ts';

// The words of scenario files that have a form of their own: replicas, arrows, lengths of time, shares.

const NAME = /^[A-Za-z0-9_][\w.-]*$/;
const ARROW = /^([A-Za-z0-9_][\w.-]*?)\s*(->|<->)\s*([A-Za-z0-9_][\w.-]*)$/;
const DURATION = /^([+-]?)(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const PERCENT = /^(\d+(?:\.\d+)?)%$/;
const STEP = /^step ([1-9]\d{0,5})$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

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

/** Reads a length of time with a sign: milliseconds. */
export const offset: Reader<number> = (place, scope) => {
  const said = filledText(place, scope).trim();
  const parts = DURATION.exec(said);
  if (parts === null) {
    return mistake(
      place,
      `${place.what} must be a length of time such as 250ms, 5s, 10m, 3h or 31d, not "${said}"`,
    );
  }
  const [, sign, amount = '0', unit = 'ms'] = parts;
  const ms = Math.round(Number(amount) * (UNIT_MS[unit] ?? 1));
  return sign === '-' ? 0 - ms : ms;
};

/** Reads a length of time that is not negative: milliseconds. */
export const duration: Reader<number> = (place, scope) => {
  const ms = offset(place, scope);
  return ms >= 0 ? ms : mistake(place, `${place.what} cannot be negative: clocks move on`);
};

/** Reads `40%` as 0.4. */
export const share: Reader<number> = (place, scope) => {
  const value = scalar(place, scope);
  const parts = typeof value === 'string' ? PERCENT.exec(value) : null;
  const percent = Number(parts?.[1] ?? Number.NaN);
  if (percent >= 0 && percent <= 100) return percent / 100;
  return mistake(place, `${place.what} must be a share from 0% to 100%, not ${nodeText(place.node)}`);
};

/** Reads a probability from 0 to below 1: lost for ever would never end. */
export const lossRate: Reader<number> = (place, scope) => {
  const value = scalar(place, scope);
  const rate = typeof value === 'bigint' ? Number(value) : value;
  if (typeof rate === 'number' && rate >= 0 && rate < 1) return rate;
  return mistake(place, `${place.what} must be a number from 0 to below 1, not ${nodeText(place.node)}`);
};

/** Reads `step 3` as 3. */
export const stepNumber: Reader<number> = (place, scope) => {
  const value = scalar(place, scope);
  const parts = typeof value === 'string' ? STEP.exec(value) : null;
  return parts === null
    ? mistake(place, `${place.what} must read "step 3", not ${nodeText(place.node)}`)
    : Number(parts[1]);
};

function knownReplica(name: string, place: Place, scope: Scope): string {
  if (scope.replicas.has(name)) return name;
  const known = [...scope.replicas].join(', ');
  return mistake(place, `unknown replica "${name}"; there are: ${known}`);
}
