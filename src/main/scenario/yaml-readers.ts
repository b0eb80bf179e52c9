import { isMap, isScalar, isSeq, type LineCounter, type ParsedNode } from 'yaml';

import { ScenarioMistake } from './scenario-mistake.ts';

// Small readers that turn a YAML node into a checked value, or say what is wrong with it and on which line.

/** What a reader may know beside the node. `replicas` grows as steps add some. */
export interface Scope {
  readonly lines: LineCounter;
  readonly replicas: Set<string>;
}

/** A node, or nothing at all behind a key, with the line to blame. */
export interface Place {
  readonly node: ParsedNode | null;
  readonly line: number;
  /** What stands here, for messages: `key "sql"`. */
  readonly what: string;
}

export type Reader<T> = (place: Place, scope: Scope) => T;

interface Field<T, IsRequired extends boolean> {
  readonly read: Reader<T>;
  readonly isRequired: IsRequired;
}

type Fields = Readonly<Record<string, Field<unknown, boolean>>>;

type RequiredKeys<F extends Fields> = {
  [K in keyof F]: F[K]['isRequired'] extends true ? K : never;
}[keyof F];

/** The object that a set of fields reads: required ones are there, others may be left out. */
export type FieldsValue<F extends Fields> = {
  readonly [K in RequiredKeys<F>]: F[K] extends Field<infer T, boolean> ? T : never;
} & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>>]?: F[K] extends Field<infer T, boolean> ? T : never;
};

export const required = <T>(read: Reader<T>): Field<T, true> => ({ read, isRequired: true });

export const optional = <T>(read: Reader<T>): Field<T, false> => ({ read, isRequired: false });

export function mistake(place: { readonly line: number }, message: string): never {
  throw new ScenarioMistake(place.line, message);
}

/** Reads a mapping that has these keys and no others. */
export function record<const F extends Fields>(fields: F): Reader<FieldsValue<F>> {
  return (place, scope) => {
    const places = mapPlaces(place, scope);
    const known = Object.keys(fields);
    const stray = [...places.keys()].find((key) => !known.includes(key));
    if (stray !== undefined) {
      const at = places.get(stray) ?? place;
      mistake(at, `unknown key "${stray}" in ${place.what}; known here: ${known.join(', ')}`);
    }
    const values: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(fields)) {
      const at = places.get(key);
      if (at !== undefined) values[key] = field.read(at, scope);
      else if (field.isRequired) mistake(place, `${place.what} lacks the key "${key}"`);
    }
    // The fields made each value, which the compiler cannot follow through Object.entries.
    return values as FieldsValue<F>;
  };
}

/** The values of a mapping by key, each with its place. */
export function mapPlaces(place: Place, scope: Scope): ReadonlyMap<string, Place> {
  const { node } = place;
  if (!isMap(node)) return mistake(place, `${place.what} must be a mapping, not ${nodeText(node)}`);
  const places = new Map<string, Place>();
  for (const { key, value } of node.items) {
    const line = lineOf(key, scope) ?? place.line;
    if (!isScalar(key) || typeof key.value !== 'string') {
      return mistake({ line }, `a key of ${place.what} must be a word, not ${nodeText(key)}`);
    }
    places.set(key.value, { node: value, line, what: `"${key.value}"` });
  }
  return places;
}

/** Reads a list, item by item. */
export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (place, scope) => {
    const { node } = place;
    if (!isSeq(node)) return mistake(place, `${place.what} must be a list, not ${nodeText(node)}`);
    return node.items.map((item) =>
      read({ node: item, line: lineOf(item, scope) ?? place.line, what: `an item of ${place.what}` }, scope),
    );
  };
}

/** Reads a list with at least one item. */
export function filledList<T>(read: Reader<T>): Reader<readonly T[]> {
  const readList = list(read);
  return (place, scope) => {
    const items = readList(place, scope);
    return items.length > 0 ? items : mistake(place, `${place.what} is empty`);
  };
}

/** Reads what a plain value may be: text, a number, true or false, null. */
export const scalar: Reader<unknown> = (place) =>
  isScalar(place.node)
    ? place.node.value
    : mistake(place, `${place.what} must be a plain value, not ${nodeText(place.node)}`);

export const text: Reader<string> = (place, scope) => {
  const value = scalar(place, scope);
  if (typeof value === 'string') return value;
  return mistake(place, `${place.what} must be text, not ${nodeText(place.node)}; put it in quotes if it is`);
};

/** Reads text that says something. */
export const filledText: Reader<string> = (place, scope) => {
  const value = text(place, scope);
  return value.trim() === '' ? mistake(place, `${place.what} is empty`) : value;
};

export const nullOr =
  <T>(read: Reader<T>): Reader<T | null> =>
  (place, scope) =>
    isScalar(place.node) && place.node.value === null ? null : read(place, scope);

export const truth: Reader<boolean> = (place, scope) => {
  const value = scalar(place, scope);
  return typeof value === 'boolean'
    ? value
    : mistake(place, `${place.what} must be true or false, not ${nodeText(place.node)}`);
};

/** Reads one of these words. */
export function word<const W extends string>(words: readonly W[]): Reader<W> {
  return (place, scope) => {
    const value = scalar(place, scope);
    const found = words.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    return mistake(place, `${place.what} must be one of ${words.join(', ')}, not ${nodeText(place.node)}`);
  };
}

/** Reads a whole number from `min` to `max`. */
export function whole(min: bigint, max: bigint): Reader<bigint> {
  return (place, scope) => {
    const value = scalar(place, scope);
    if (typeof value === 'bigint' && value >= min && value <= max) return value;
    return mistake(
      place,
      `${place.what} must be a whole number from ${String(min)} to ${String(max)}, not ${nodeText(place.node)}`,
    );
  };
}

/** What stands in the file, short enough for a message. */
export function nodeText(node: unknown): string {
  if (node === null || node === undefined) return 'nothing';
  if (isMap(node)) return 'a mapping';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node)) return 'something else';
  if (node.value === null) return 'null';
  // Scalars of the core schema are nothing but text, numbers and truth values.
  const value = node.value as string | number | bigint | boolean;
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function lineOf(node: ParsedNode | null, scope: Scope): number | undefined {
  return node === null ? undefined : scope.lines.linePos(node.range[0]).line;
}
