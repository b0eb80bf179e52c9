import type { MigrationView } from '#shared/model/views.ts';

import { aSite, hlcAt, MINUTE_MS, NOW_MS } from './fake-fleet.ts';
import { aMigration } from './fake-views.ts';

/** The history of one of the shops. */
export function exampleMigrations(ref: string): readonly MigrationView[] {
  return [
    aMigration(61, {
      verdict: 'executed',
      reason: ref === 'market' ? 'It was written here.' : 'There was no `orders` here, so it was made.',
    }),
    aMigration(44, {
      type: 'create_index',
      kind: 'index',
      object: 'ix_stock_product',
      origin: aSite('hq'),
      from: aSite('hq'),
      ddl: 'CREATE INDEX ix_stock_product ON stock (product)',
      reason: 'There was no `ix_stock_product` here, so it was made.',
      admittedAtMs: NOW_MS - 2 * 24 * 60 * MINUTE_MS,
    }),
    aMigration(12, {
      type: 'add_column',
      object: 'products',
      element: 'barcode',
      origin: aSite('harbour'),
      from: aSite('hq'),
      version: 2,
      verdict: 'alreadyApplied',
      ddl: 'ALTER TABLE products ADD COLUMN barcode TEXT',
      reason: 'It is one with `add column products.barcode`, which was here first.',
      by: {
        id: aMigration(8).id,
        type: 'add_column',
        object: 'products',
        element: 'barcode',
        origin: aSite('hq'),
        hlc: hlcAt(NOW_MS - 4 * 24 * 60 * MINUTE_MS, 'hq'),
      },
      inForce: false,
      admittedAtMs: NOW_MS - 3 * 24 * 60 * MINUTE_MS,
    }),
    aMigration(8, {
      type: 'add_column',
      object: 'products',
      element: 'barcode',
      origin: aSite('hq'),
      from: aSite('hq'),
      ddl: 'ALTER TABLE products ADD COLUMN barcode TEXT',
      reason: '`products` had no such column here, so it was added.',
      admittedAtMs: NOW_MS - 4 * 24 * 60 * MINUTE_MS,
    }),
  ];
}
