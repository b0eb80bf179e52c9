import type { StoreDatabase } from '#main/store/store-database.ts';

/** A connection that says something before each write. */
export function watchWrites(db: StoreDatabase, beforeWrite: () => void): StoreDatabase {
  const wrapped = new WeakMap<object, object>();
  const wrap = <T extends { readonly readonly: boolean }>(statement: T): T => {
    if (statement.readonly) return statement;
    const known = wrapped.get(statement);
    if (known !== undefined) return known as T;
    const watching = new Proxy(statement, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: readonly unknown[]): unknown => {
          if (RUNS.has(name)) beforeWrite();
          return Reflect.apply(member, target, given);
        };
      },
    });
    wrapped.set(statement, watching);
    return watching;
  };
  return {
    ...db,
    prepare: (sql) => wrap(db.prepare(sql)),
    prepareRaw: (sql) => wrap(db.prepareRaw(sql)),
    preparePluck: (sql) => wrap(db.preparePluck(sql)),
    exec: (sql) => {
      beforeWrite();
      db.exec(sql);
    },
  };
}

const RUNS: ReadonlySet<string | symbol> = new Set(['run', 'get', 'all', 'iterate']);

export interface FaultyDatabase {
  readonly db: StoreDatabase;
  /** The write after so many more fails; counting begins anew. */
  readonly failAfter: (writes: number) => void;
}

/** A connection whose n-th write fails as a full disk makes it fail. */
export function makeFaulty(db: StoreDatabase): FaultyDatabase {
  let writes = 0;
  let failing = Number.POSITIVE_INFINITY;
  return {
    db: watchWrites(db, () => {
      writes += 1;
      if (writes > failing)
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    }),
    failAfter: (more) => {
      writes = 0;
      failing = more;
    },
  };
}
