import { foldIdentifier } from '../sql/fold-identifier.ts';
import type { StoreDatabase } from './store-database.ts';

/** What stands in the catalog under a name. */
export interface ObjectInFile {
  /** Rowid in sqlite_schema. */
  readonly place: bigint;
  readonly sql: string;
}

type PlacedType = 'table' | 'trigger';

// sqlite_schema has no index: a name is looked for through the whole of it. Places are kept, and each is made sure of when
// it is used, since VACUUM gives other ones.
const placesByDatabase = new WeakMap<StoreDatabase, Map<string, bigint>>();

/** Finds a table or a trigger of capture in the file as it is now: at a cost that does not grow with the catalog. */
export function findInFile(db: StoreDatabase, type: PlacedType, name: string): ObjectInFile | null {
  const places = placesByDatabase.get(db) ?? readPlaces(db);
  placesByDatabase.set(db, places);
  const key = keyOf(type, name);
  const place = places.get(key);
  const found = place === undefined ? null : objectAt(db, { type, name, place });
  if (found !== null) return found;
  const row = db
    .prepareRaw<[string, string], [bigint, string]>(
      `select rowid, sql from sqlite_schema where type = ? and name = ? collate nocase and sql is not null`,
    )
    .get(type, name);
  if (row === undefined) return null;
  const [newPlace, sql] = row;
  places.set(key, newPlace);
  return { place: newPlace, sql };
}

const keyOf = (type: string, name: string): string => `${type} ${foldIdentifier(name)}`;

function readPlaces(db: StoreDatabase): Map<string, bigint> {
  const rows = db
    .prepareRaw<[], [string, string, bigint]>(
      `select type, name, rowid from sqlite_schema
       where type = 'table' or (type = 'trigger' and name like '\\_concord\\_u\\_%' escape '\\')`,
    )
    .all();
  return new Map(rows.map(([type, name, place]) => [keyOf(type, name), place]));
}

function objectAt(
  db: StoreDatabase,
  { type, name, place }: { readonly type: PlacedType; readonly name: string; readonly place: bigint },
): ObjectInFile | null {
  const sql = db
    .preparePluck<[bigint, string, string], string | null>(
      `select sql from sqlite_schema where rowid = ? and type = ? and name = ? collate nocase`,
    )
    .get(place, type, name);
  return typeof sql === 'string' ? { place, sql } : null;
}
