import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import { areConcurrent } from '../engine/migration/knew-of.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import type { Admission } from './admission-context.ts';
import { isEqualText } from './equal-creations.ts';
import { liveTable } from './live-table.ts';
import type { ReplicaStore } from './replica-store.ts';
import { occupantOf } from './table-standing.ts';

/** Renames, in the same unit, of what a create_table or add_column makes, the latest last. */
export function renamesInUnit(
  store: ReplicaStore,
  creation: Migration,
  unit: readonly Migration[],
): readonly Migration[] {
  const type = RENAMES.get(creation.type);
  const [column] = creation.columns;
  return unit
    .filter(
      (known) =>
        known.type === type &&
        known.tableId === creation.tableId &&
        (creation.type === 'create_table' || known.columns[0]?.id === column?.id) &&
        !store.migrations.has(known.id),
    )
    .sort((left, right) => compareStamps(left.stamp, right.stamp));
}

const RENAMES: ReadonlyMap<Migration['type'], Migration['type']> = new Map([
  ['create_table', 'rename_table'],
  ['add_column', 'rename_column'],
]);

/** The name that a table or column is made under: the last of those that come with it. */
export function nameInUnit(store: ReplicaStore, creation: Migration, unit: readonly Migration[]): string {
  const last = renamesInUnit(store, creation, unit).at(-1);
  if (creation.type === 'add_column') return last?.element ?? creation.element ?? '';
  return last?.object ?? creation.object;
}

/**
 * Puts a column that is renamed in its unit before the twin that is not: the twin then finds it as what it is called by now, and not
 * a third column that has the name which both were added under.
 */
export function renamedTwinsFirst(
  store: ReplicaStore,
  migrations: readonly Migration[],
): readonly Migration[] {
  const isRenamed = (one: Migration): boolean => renamesInUnit(store, one, migrations).length > 0;
  return migrations.reduce<readonly Migration[]>((ordered, one) => {
    const at =
      one.type === 'add_column' && isRenamed(one)
        ? ordered.findIndex((other) => isTwinColumn(other, one) && !isRenamed(other))
        : -1;
    return at < 0 ? [...ordered, one] : [...ordered.slice(0, at), one, ...ordered.slice(at)];
  }, []);
}

const isTwinColumn = (left: Migration, right: Migration): boolean =>
  left.type === 'add_column' &&
  left.tableId === right.tableId &&
  areConcurrent(left, right) &&
  isEqualText(left.ddl, right.ddl);

/**
 * The unit without the renames of a creation that came out of their turn to a name which is still another's here: a name that was
 * passed on. They come again in their turn, after what took the name from the other.
 */
export function withoutEarlyRenames(
  { store, outOfTurn }: Admission,
  creation: Migration,
  unit: readonly Migration[],
): readonly Migration[] {
  const early = renamesInUnit(store, creation, unit).filter(({ id }) => outOfTurn.has(id));
  const isEarly = early.length > 0 && isTaken(store, creation, nameInUnit(store, creation, unit));
  return isEarly ? unit.filter((one) => !early.includes(one)) : unit;
}

function isTaken(store: ReplicaStore, creation: Migration, name: string): boolean {
  if (creation.type === 'create_table') return occupantOf(store, { name, table: null }) !== null;
  const columns = liveTable(store, creation)?.liveColumns ?? [];
  return columns.some((column) => isSameName(column.name, name));
}
