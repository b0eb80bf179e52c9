import { z } from 'zod';

import { SiteId } from './ids.ts';
import { JsonSqlValue } from './sql-value.ts';
import { HeldReason } from './vocabulary.ts';

/** Most entries that one decision names one by one; more are named by table and reason. */
const HELD_IDS_MAX = 1_000;

/** Which held changes are meant: those that have all that is said. Nothing said: all. */
export const HeldSelection = z.strictObject({
  ids: z.array(z.number().int()).min(1).max(HELD_IDS_MAX).readonly().optional(),
  table: z.string().min(1).max(1000).optional(),
  reason: HeldReason.optional(),
});
export type HeldSelection = z.infer<typeof HeldSelection>;

/**
 * What a person does with held changes.
 *
 * quarantine: they stay held and go in by themselves no more. release: they do again. drain: they are tried now; what
 * belongs to a dropped table goes into the one that has its name now, as new local changes. delete: they are gone here.
 */
export const HeldAction = z.enum(['quarantine', 'release', 'drain', 'delete']);
export type HeldAction = z.infer<typeof HeldAction>;

/** Why some are held still. */
export const HeldLeft = z.strictObject({
  table: z.string(),
  reason: HeldReason,
  changes: z.number().int(),
  /** One sentence. */
  why: z.string(),
});
export type HeldLeft = z.infer<typeof HeldLeft>;

export const HeldOutcome = z.strictObject({
  action: HeldAction,
  /** Held changes that were meant, and the rows they are of. */
  changes: z.number().int(),
  rows: z.number().int(),
  /** Of `drain` and `release`: those that are held no more. */
  drained: z.number().int(),
  left: z.array(HeldLeft).readonly(),
  /** One sentence: what was done to what. The journal has it too. */
  detail: z.string(),
});
export type HeldOutcome = z.infer<typeof HeldOutcome>;

/** How much a selection means, and whose it is. */
export const HeldExtent = z.strictObject({
  changes: z.number().int(),
  /** The rows that they are of. */
  rows: z.number().int(),
  bytes: z.number().int(),
  /** By the names they are held under, the one with most changes first. */
  tables: z.array(z.string()).readonly(),
  /** Who wrote them, who wrote most first. */
  authors: z.array(SiteId).readonly(),
});
export type HeldExtent = z.infer<typeof HeldExtent>;

/** New values for some columns of a held row. */
export const HeldEdit = z.strictObject({
  id: z.number().int(),
  values: z.record(z.string(), JsonSqlValue),
});
export type HeldEdit = z.infer<typeof HeldEdit>;

/** What an edit did, in a sentence. */
export const HeldEdited = z.strictObject({ detail: z.string() });
export type HeldEdited = z.infer<typeof HeldEdited>;
