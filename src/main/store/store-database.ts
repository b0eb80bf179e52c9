import type BetterSqlite3 from 'better-sqlite3';

import { assert, present } from '#shared/assert.ts';

/** A value as better-sqlite3 hands it over here: INTEGER always as bigint, REAL always as number. */
export type StoredValue = null | bigint | number | string | Uint8Array;

/** A statement that is prepared once per connection and gives integers as bigint. */
export type StoreStatement<Bind extends unknown[], Row> = BetterSqlite3.Statement<Bind, Row>;

/**
 * One connection to a replica's file.
 *
 * Statements are prepared once and kept; integers always come as bigint. Bind integers as bigint where the column
 * has no INTEGER type of its own: better-sqlite3 binds every JavaScript number as REAL.
 */
export interface StoreDatabase {
  readonly path: string;
  readonly readOnly: boolean;
  /** For pragmas, backup and user functions. */
  readonly raw: BetterSqlite3.Database;
  /** Rows as objects. */
  readonly prepare: <Bind extends unknown[], Row = unknown>(sql: string) => StoreStatement<Bind, Row>;
  /** Rows as arrays. */
  readonly prepareRaw: <Bind extends unknown[], Row = readonly StoredValue[]>(
    sql: string,
  ) => StoreStatement<Bind, Row>;
  /** First column alone. */
  readonly preparePluck: <Bind extends unknown[], Value = StoredValue>(
    sql: string,
  ) => StoreStatement<Bind, Value>;
  /** Runs one or more statements that give no rows. */
  readonly exec: (sql: string) => void;
  readonly inTransaction: () => boolean;
  /** Runs inside BEGIN IMMEDIATE: commits what `run` did, or rolls it back and throws on what it threw. Not nested. */
  readonly transaction: <T>(run: () => T) => T;
  /** Runs in the transaction that is open, which then decides for it too; where none is, in one of its own. */
  readonly within: <T>(run: () => T) => T;
  readonly close: () => void;
}

/** Statements kept per connection and shape; the oldest go first. Bounds memory at thousands of tables. */
const STATEMENTS_MAX = 4_000;

/** Wraps an open better-sqlite3 connection. Closing the wrapper closes the connection. */
export function createStoreDatabase(raw: BetterSqlite3.Database, path: string): StoreDatabase {
  const objects = createStatementCache((sql) => raw.prepare(sql).safeIntegers(true));
  const arrays = createStatementCache((sql) => raw.prepare(sql).safeIntegers(true).raw(true));
  const plucks = createStatementCache((sql) => raw.prepare(sql).safeIntegers(true).pluck(true));

  return {
    path,
    readOnly: raw.readonly,
    raw,
    // The shapes of rows are those of the SQL text, which TypeScript cannot read.
    prepare: <Bind extends unknown[], Row>(sql: string) => objects(sql) as StoreStatement<Bind, Row>,
    prepareRaw: <Bind extends unknown[], Row>(sql: string) => arrays(sql) as StoreStatement<Bind, Row>,
    preparePluck: <Bind extends unknown[], Value>(sql: string) => plucks(sql) as StoreStatement<Bind, Value>,
    exec: (sql) => void raw.exec(sql),
    inTransaction,
    transaction,
    within: (run) => (inTransaction() ? run() : transaction(run)),
    close: () => void raw.close(),
  };

  function inTransaction(): boolean {
    return raw.inTransaction;
  }

  function transaction<T>(run: () => T): T {
    assert(!inTransaction(), 'Transactions do not nest: the outer one decides.');
    objects('begin immediate').run();
    try {
      const value = run();
      objects('commit').run();
      return value;
    } catch (cause) {
      // SQLite may have rolled back by itself, after a full disk for instance.
      if (inTransaction()) raw.exec('rollback');
      throw cause;
    }
  }
}

type AnyStatement = BetterSqlite3.Statement;

function createStatementCache(prepare: (sql: string) => AnyStatement): (sql: string) => AnyStatement {
  const statementBySql = new Map<string, AnyStatement>();
  return (sql) => {
    const known = statementBySql.get(sql);
    if (known !== undefined) return known;
    const statement = prepare(sql);
    if (statementBySql.size >= STATEMENTS_MAX) {
      statementBySql.delete(present(statementBySql.keys().next().value, 'a full cache has an oldest entry'));
    }
    statementBySql.set(sql, statement);
    return statement;
  };
}

/** A stored integer that our own code wrote and that is small: seqs, counts, ordinals. Throws on anything else. */
export function toNumber(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  assert(typeof number === 'number' && Number.isSafeInteger(number), 'a small integer was expected here');
  return number;
}

/** A stored integer that our own code wrote. Throws on anything else. */
export function toBigInt(value: unknown): bigint {
  assert(typeof value === 'bigint', 'an integer was expected here');
  return value;
}
