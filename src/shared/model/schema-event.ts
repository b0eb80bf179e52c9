import { z } from 'zod';

import { ConflictId, MigrationId, SiteId } from './ids.ts';
import { HlcText } from './views.ts';
import { MigrationType, ObjectKind, Verdict } from './vocabulary.ts';

/** What a replica decided about one schema change, when it did. */
export const SchemaEvent = z.strictObject({
  verdict: Verdict,
  /** Null where a unit was refused for something that no single migration of it is to blame for. */
  type: MigrationType.nullable(),
  kind: ObjectKind,
  object: z.string(),
  /** The column or constraint, where the element is one. */
  element: z.string().nullable(),
  migration: MigrationId.nullable(),
  /** Author, and when it was made. */
  origin: SiteId.nullable(),
  hlc: HlcText.nullable(),
  /** The peer that brought it; null when it was made here, or had waited here. */
  from: SiteId.nullable(),
  /** One sentence; names stand between backquotes. */
  reason: z.string(),
  /** Of a conflict alone. */
  conflictId: ConflictId.nullable(),
  atMs: z.number().int(),
});
export type SchemaEvent = z.infer<typeof SchemaEvent>;
