import { z } from 'zod';

import { FindingKind, HeldReason, MigrationType, ObjectKind, Verdict } from './vocabulary.ts';

/** One migration of a rehearsed statement, with what a replica made of it on its scratch copy. */
export const RehearsedStep = z.strictObject({
  type: MigrationType,
  kind: ObjectKind,
  object: z.string(),
  /** The column or constraint, where the element is one. */
  element: z.string().nullable(),
  /** Null: it was not reached, because of what stands before it. */
  verdict: Verdict.nullable(),
  /** One sentence; names stand between backquotes. */
  reason: z.string(),
});
export type RehearsedStep = z.infer<typeof RehearsedStep>;

/** What a replica would make of a statement. Run on a scratch copy; nothing of the replica changed. */
export const Rehearsal = z.strictObject({
  /**
   * executes: it changes the catalog. nothing: the catalog is so already, or something beats it. warns: it is recorded with a
   * warning. held: the object is set aside. blocks: it would stop the line. waits: the line would stop at something that
   * comes before it. refused: it cannot be written there.
   */
  outcome: z.enum(['executes', 'nothing', 'warns', 'held', 'blocks', 'waits', 'refused']),
  /** One sentence of blocks, waits and refused; empty else. */
  message: z.string(),
  steps: z.array(RehearsedStep),
  /** Rows that are written anew, indexed or dropped. */
  rows: z.number().int(),
  /** Bytes that are written to the file, bookkeeping included. */
  bytes: z.number().int(),
  /** Changes that would go to held. */
  held: z.array(z.strictObject({ table: z.string(), reason: HeldReason, rows: z.number().int() })),
  /** What would be found afterwards and was not before. */
  findings: z.array(z.strictObject({ kind: FindingKind, table: z.string(), detail: z.string() })),
  /** Objects that would be defined otherwise: their canonical DDL; null of those that would be gone. */
  result: z.array(
    z.strictObject({
      kind: ObjectKind,
      name: z.string(),
      ddl: z.string().nullable(),
      /** Taken out of the file until what it refers to is there. */
      isParked: z.boolean(),
    }),
  ),
});
export type Rehearsal = z.infer<typeof Rehearsal>;
