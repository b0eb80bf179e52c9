import { foldIdentifier } from '../sql/fold-identifier.ts';
import { readMeta, writeMeta } from './replica-meta.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

export type RecordedKind = 'index' | 'view' | 'trigger';

/** An index, view or trigger in force. */
export interface RecordedObject {
  readonly kind: RecordedKind;
  /** Folded. */
  readonly name: string;
  /** Number of the creation that shows, in `_concord_migration`. */
  readonly migration: number;
  /** Of an index its table; null of the others. */
  readonly tbl: number | null;
  /** As it stands in the file; null while it is parked: taken out until what it refers to is there. */
  readonly text: string | null;
}

/** A recorded view or trigger. */
export type BodyObject = RecordedObject & { readonly kind: 'view' | 'trigger' };

/** Whether a recorded object is a view or trigger. */
export const isBody = (object: RecordedObject): object is BodyObject => object.kind !== 'index';

export interface RecordedObjects {
  readonly all: () => readonly RecordedObject[];
  /** Views and triggers alone, of which there are far fewer. The same list as long as nothing was written. */
  readonly bodies: () => readonly BodyObject[];
  readonly get: (kind: RecordedKind, name: string) => RecordedObject | null;
  readonly put: (object: RecordedObject) => void;
  readonly remove: (kind: RecordedKind, name: string) => void;
}

/** What the record says of indexes, views and triggers, through one connection. */
export function createRecordedObjects(db: StoreDatabase): RecordedObjects {
  const columns = 'kind, name, migration, tbl, text';
  const all = db.prepareRaw<[], ObjectRow>(`select ${columns} from _concord_object`);
  const bodies = db.prepareRaw<[], ObjectRow>(
    `select ${columns} from _concord_object where kind in ('view', 'trigger') order by kind, name`,
  );
  const one = db.prepareRaw<[string, string], ObjectRow>(
    `select ${columns} from _concord_object where kind = ? and name = ?`,
  );
  const put = db.prepare<unknown[]>(
    `insert or replace into _concord_object (${columns}) values (?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare<unknown[]>(`delete from _concord_object where kind = ? and name = ?`);
  const stamp = createStamp(db);
  let known: { readonly at: bigint; readonly bodies: readonly BodyObject[] } | null = null;
  const readBodies = (): readonly BodyObject[] => bodies.all().map(objectOf).filter(isBody);
  return {
    all: () => all.all().map(objectOf),
    bodies: () => {
      const at = stamp.read();
      if (known?.at !== at) known = { at, bodies: readBodies() };
      return known.bodies;
    },
    get: (kind, name) => {
      const row = one.get(kind, foldIdentifier(name));
      return row === undefined ? null : objectOf(row);
    },
    put: ({ kind, name, migration, tbl, text }) => {
      put.run(kind, foldIdentifier(name), BigInt(migration), tbl === null ? null : BigInt(tbl), text);
      stamp.renew();
    },
    remove: (kind, name) => {
      remove.run(kind, foldIdentifier(name));
      stamp.renew();
    },
  };
}

/**
 * A number beside the objects that is another after each write, and after its rollback the one of before: no number is given
 * twice, so what was read under it is what there is.
 */
function createStamp(db: StoreDatabase): { readonly read: () => bigint; readonly renew: () => void } {
  let highest = 0n;
  const read = (): bigint => {
    const value = readMeta(db, 'objectsStamp');
    return typeof value === 'bigint' ? value : 0n;
  };
  return {
    read,
    renew: () => {
      const now = read();
      highest = (now > highest ? now : highest) + 1n;
      writeMeta(db, 'objectsStamp', highest);
    },
  };
}

type ObjectRow = readonly [RecordedKind, string, bigint, bigint | null, string | null];

const objectOf = ([kind, name, migration, tbl, text]: ObjectRow): RecordedObject => ({
  kind,
  name,
  migration: toNumber(migration),
  tbl: tbl === null ? null : toNumber(tbl),
  text,
});
