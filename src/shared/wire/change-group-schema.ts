import { z } from 'zod';

import { HLC_MAX } from '../model/hlc.ts';
import { ColumnId, ConflictId, Epoch, Era, MigrationId, SiteId, TableId } from '../model/ids.ts';
import type { SqlValue } from '../model/sql-value.ts';
import { MigrationType, ObjectKind } from '../model/vocabulary.ts';

// The schemas of what travels; the types are those of model/change-group.ts, and a test compares them.
// How indexes, lives and rows fit together is beyond a schema: see find-group-problem.ts.

const count = z.int().min(0);
export const packedHlc = z
  .bigint()
  .min(0n)
  .max(HLC_MAX)
  .meta({ description: 'HLC: 48 bits of milliseconds, 16 of counter, as int64' });

/** Rows are looked at value by value in `findGroupProblem`, at a hundredth of the price. */
const rows = z
  .custom<SqlValue[][]>((value) => Array.isArray(value), { error: 'expected rows' })
  .meta({
    description:
      'Rows of values: nil NULL, any number without a fraction INTEGER, float64 with a fraction or infinite REAL, str TEXT, ' +
      'bin BLOB, extension 1 TEXT that is not UTF-8, extension 2 REAL without a fraction, 8 bytes',
  });

export const stampSchema = z.strictObject({ hlc: packedHlc, site: SiteId });

export const cursorSchema = z.strictObject({
  epoch: Epoch,
  era: Era,
  seq: count,
  catalogSeq: count,
  inside: z.string().exactOptional(),
});

const tableReferenceSchema = z.strictObject({
  id: TableId,
  name: z.string(),
  columns: z.array(z.strictObject({ id: ColumnId, name: z.string() })),
  key: z.array(count).min(1),
});

const factBlockSchema = z.strictObject({
  table: count,
  hlc: packedHlc,
  site: count,
  kind: z.enum(['rows', 'cells', 'deletes']),
  columns: z.array(count),
  rows,
  lives: z.array(z.tuple([count, z.int().min(1)])),
  clocks: z.array(z.tuple([count, count, packedHlc, count])),
});

const piecedFactSchema = z.strictObject({
  of: z.string(),
  block: count,
  row: count,
  values: z.array(z.tuple([count, count, z.enum(['text', 'blob'])])),
});

export const redefinitionSchema = z.strictObject({
  conflictIds: z.array(ConflictId),
  creations: z.array(z.strictObject({ migration: MigrationId, table: TableId })),
  columnMap: z.array(
    z.strictObject({
      name: z.string(),
      ids: z.array(ColumnId).min(1),
      added: z.string().nullable().optional(),
    }),
  ),
});

export const migrationSchema = z.strictObject({
  id: MigrationId,
  type: MigrationType,
  kind: ObjectKind,
  object: z.string(),
  element: z.string().nullable(),
  tableId: TableId.nullable(),
  columns: z.array(z.strictObject({ id: ColumnId, name: z.string() })),
  stamp: stampSchema,
  version: count,
  knew: z.record(SiteId, packedHlc),
  ddl: z.string(),
  mentions: z.array(
    z.strictObject({
      table: TableId,
      name: z.string(),
      columns: z.array(z.strictObject({ id: ColumnId, name: z.string() })),
    }),
  ),
  redefine: redefinitionSchema.nullable(),
});

const tableReplacementSchema = z.strictObject({
  table: count,
  stamp: stampSchema,
  knew: z.record(SiteId, packedHlc),
  waiting: z.array(stampSchema),
});

export const changeGroupSchema = z.strictObject({
  cursor: cursorSchema.exactOptional(),
  unfinished: z.literal(true).exactOptional(),
  sites: z.array(SiteId),
  tables: z.array(tableReferenceSchema),
  migrations: z.array(migrationSchema),
  outOfTurn: z.array(MigrationId).exactOptional(),
  blocks: z.array(factBlockSchema),
  piece: z
    .strictObject({
      of: z.string(),
      at: count,
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array, { error: 'expected bytes' }),
    })
    .exactOptional(),
  pieced: z.array(piecedFactSchema).exactOptional(),
  replacements: z.array(tableReplacementSchema).exactOptional(),
});
