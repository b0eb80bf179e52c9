import type { Clock } from '../engine/ports.ts';
import type { StoreDatabase } from './store-database.ts';

/** The objects whose changes a person set aside, by the IDs of their tables. */
export interface SetAsideObjects {
  readonly setAside: () => ReadonlySet<string>;
  readonly putAside: (entry: {
    readonly tableId: string;
    readonly object: string;
    readonly conflictId: string | null;
  }) => void;
  readonly endSetAside: (tableId: string) => void;
}

/** Reads and writes the list in the caller's transaction. */
export function createSetAside(db: StoreDatabase, clock: Clock): SetAsideObjects {
  const ids = db.preparePluck<[], string>('select table_id from _concord_set_aside');
  const insert = db.prepare<unknown[]>(
    'insert into _concord_set_aside (table_id, object, conflict_id, since_ms) values (?, ?, ?, ?) on conflict do nothing',
  );
  const remove = db.prepare<[string]>('delete from _concord_set_aside where table_id = ?');
  return {
    setAside: () => new Set(ids.all()),
    putAside: (entry) => {
      insert.run(entry.tableId, entry.object, entry.conflictId, BigInt(clock.nowMs()));
    },
    endSetAside: (tableId) => {
      remove.run(tableId);
    },
  };
}
