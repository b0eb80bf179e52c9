import type { Migration } from '#shared/model/change-group.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import type { StoreDatabase } from './store-database.ts';

/** What was last recorded for an element. */
export interface ElementClock {
  readonly hlc: bigint;
  /** Ordinal of the author. */
  readonly site: number;
  /** Raised by one with each change of the element. */
  readonly version: number;
  /** Raised by a create that knew of the last drop. */
  readonly life: number;
  /** Number of the migration in `_concord_migration`. */
  readonly migration: number;
}

export interface ElementClocks {
  readonly read: (element: string) => ElementClock | null;
  /** Keeps the later of what is there and `clock`. */
  readonly raise: (element: string, clock: ElementClock) => void;
}

/** Schema clocks, one per element: a table's existence, a column, an index. */
export function createElementClocks(db: StoreDatabase): ElementClocks {
  const read = db.prepareRaw<[string], readonly bigint[]>(
    `select hlc, site, version, life, migration from _concord_element where element = ?`,
  );
  const raise = db.prepare<unknown[]>(
    `insert into _concord_element (element, level, hlc, site, version, life, migration) values (?, 0, ?, ?, ?, ?, ?)
     on conflict (element) do update set hlc = excluded.hlc, site = excluded.site, version = max(version, excluded.version),
       life = max(life, excluded.life), migration = excluded.migration where excluded.hlc >= hlc`,
  );
  return {
    read: (element) => {
      const [hlc, site, version, life, migration] = read.get(element) ?? [];
      if (hlc === undefined) return null;
      return {
        hlc,
        site: Number(site),
        version: Number(version),
        life: Number(life),
        migration: Number(migration),
      };
    },
    raise: (element, clock) => {
      raise.run(
        element,
        clock.hlc,
        BigInt(clock.site),
        BigInt(clock.version),
        BigInt(clock.life),
        BigInt(clock.migration),
      );
    },
  };
}

/** Names the element that a migration changes: tables and columns by ID, other objects by folded name. */
export function elementOf(
  migration: Pick<Migration, 'type' | 'kind' | 'object' | 'element' | 'tableId' | 'columns'>,
): string {
  if (migration.kind !== 'table') return `${migration.kind}:${foldIdentifier(migration.object)}`;
  const [column] = migration.columns;
  const isOfColumn = migration.type.includes('column');
  if (isOfColumn && column !== undefined) return `column:${column.id}`;
  return `table:${migration.tableId ?? ''}`;
}
