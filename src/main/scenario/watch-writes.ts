import type { StoreDatabase } from '../store/store-database.ts';

/** A connection that says something before each write. For simulations alone: no replica of a host has one. */
export function watchWrites(db: StoreDatabase, beforeWrite: () => void): StoreDatabase {
  const wrapped = new WeakMap<object, object>();

  return {
    ...db,
    raw: watchRaw(),
    prepare: (sql) => watch(db.prepare(sql)),
    prepareRaw: (sql) => watch(db.prepareRaw(sql)),
    preparePluck: (sql) => watch(db.preparePluck(sql)),
    exec: (sql) => {
      beforeWrite();
      db.exec(sql);
    },
  };

  function watch<T extends { readonly readonly: boolean }>(statement: T): T {
    if (statement.readonly) return statement;
    const known = wrapped.get(statement);
    if (known !== undefined) return known as T;
    const watching = new Proxy(statement, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: readonly unknown[]): unknown => {
          if (RUNS.has(name)) beforeWrite();
          const answer: unknown = Reflect.apply(member, target, given);
          return answer === target ? watching : answer;
        };
      },
    });
    wrapped.set(statement, watching);
    return watching;
  }

  /** Statements that people type are prepared past the cache. */
  function watchRaw(): StoreDatabase['raw'] {
    return new Proxy(db.raw, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (name === 'prepare') return (sql: string) => watch(target.prepare(sql));
        return (...given: readonly unknown[]): unknown => Reflect.apply(member, target, given) as unknown;
      },
    });
  }
}

const RUNS: ReadonlySet<string | symbol> = new Set(['run', 'get', 'all', 'iterate']);
