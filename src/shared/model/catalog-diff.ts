import { z } from 'zod';

import { ObjectKind } from './vocabulary.ts';

/** A schema object as a file has it: what a comparison of two catalogs is made of. */
export const ObjectDefinition = z.strictObject({
  kind: ObjectKind,
  name: z.string(),
  /** The statement that made it, as it stands in the file. */
  sql: z.string(),
  /** Taken out of the file until what it refers to is there. */
  isParked: z.boolean(),
});
export type ObjectDefinition = z.infer<typeof ObjectDefinition>;

/** One thing that two definitions of an object say differently. */
const DiffDetail = z.strictObject({
  /** What it is about: `type`, `default`, `check`, `part` … */
  kind: z.string(),
  /** The column, the constraint's name or its columns; empty when the whole object is meant. */
  subject: z.string(),
  left: z.string().nullable(),
  right: z.string().nullable(),
  /** Harmless: both converge without it. */
  isDrift: z.boolean(),
});

/** Why what is written differently was taken as equal. */
const DiffRule = z.strictObject({ rule: z.string(), subject: z.string(), words: z.string() });

export const ObjectDiff = z.strictObject({
  kind: ObjectKind,
  name: z.string(),
  /** `drift`: equal but for what is harmless. `onlyLeft`, `onlyRight`: the other catalog has none of the name. */
  state: z.enum(['equal', 'drift', 'different', 'onlyLeft', 'onlyRight']),
  /** Normalised texts; null on the side that has none. */
  left: z.string().nullable(),
  right: z.string().nullable(),
  differences: z.array(DiffDetail),
  /** Told when the comparison is to be explained. */
  rules: z.array(DiffRule),
});
export type ObjectDiff = z.infer<typeof ObjectDiff>;

export const CatalogDiff = z.strictObject({
  /** Objects by what the comparison makes of them. */
  counts: z.strictObject({
    equal: z.number().int(),
    drift: z.number().int(),
    different: z.number().int(),
    onlyLeft: z.number().int(),
    onlyRight: z.number().int(),
  }),
  /** Those that are not equal; explained, also those that are and are written differently. In the order of kind and name. */
  items: z.array(ObjectDiff),
});
export type CatalogDiff = z.infer<typeof CatalogDiff>;
