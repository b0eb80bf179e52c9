import Database from 'better-sqlite3';

/** What the console's own tables hold. Times and counts fit a JavaScript number; nothing else is stored in them. */
export type ConsoleValue = null | number | string;
export type ConsoleRow = Readonly<Record<string, ConsoleValue>>;

/** The console's own database: small, and the one SQLite file that may be read on the main thread. */
export interface ConsoleDatabase {
  readonly run: (
    sql: string,
    values?: readonly ConsoleValue[],
  ) => { readonly changes: number; readonly lastId: number };
  readonly all: (sql: string, values?: readonly ConsoleValue[]) => readonly ConsoleRow[];
  /** All of `work` or nothing of it. */
  readonly transact: <T>(work: () => T) => T;
  /** Whether another program has written to it since this was last asked. */
  readonly isChangedByOthers: () => boolean;
  readonly close: () => void;
}

/** One step from a version of the schema to the next; the version is the number of steps taken. */
export type ConsoleMigration = readonly string[];

/**
 * Opens the console's database, makes it when it is not there, and brings its schema up to date, one transaction
 * a step.
 *
 * Errors (thrown, since nothing works without it): SQLite's own; and a plain one when a newer Concord wrote it.
 */
export function openConsoleDatabase(path: string, migrations: readonly ConsoleMigration[]): ConsoleDatabase {
  const db = new Database(path);
  try {
    // The command line may write beside a running host (tokens); both wait for each other.
    db.pragma('busy_timeout = 5000');
    db.pragma('journal_mode = wal');
    // What it holds can be set up again or is a record of the past: no need to survive a power cut to the last line.
    db.pragma('synchronous = normal');
    db.pragma('foreign_keys = on');
    migrate(db, migrations);
  } catch (cause) {
    db.close();
    throw cause;
  }

  const readDataVersion = (): unknown => db.pragma('data_version', { simple: true });
  let dataVersion = readDataVersion();
  const statements = new Map<string, Database.Statement>();
  const prepare = (sql: string): Database.Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const fresh = db.prepare(sql);
    statements.set(sql, fresh);
    return fresh;
  };

  return {
    run: (sql, values = []) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes, lastId: Number(lastInsertRowid) };
    },
    // Every column of these tables is of a type that ConsoleValue names.
    all: (sql, values = []) => prepare(sql).all(...values) as ConsoleRow[],
    transact: (work) => db.transaction(work).immediate(),
    isChangedByOthers: () => {
      const before = dataVersion;
      dataVersion = readDataVersion();
      return dataVersion !== before;
    },
    close: () => db.close(),
  };
}

function migrate(db: Database.Database, migrations: readonly ConsoleMigration[]): void {
  // Read inside the transaction: two programs may start at once.
  const step = db.transaction((): boolean => {
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > migrations.length) {
      throw new Error(
        `the console's database has version ${version}, this Concord knows ${migrations.length}: start a newer Concord`,
      );
    }
    const next = migrations[version];
    if (next === undefined) return false;
    for (const statement of next) db.exec(statement);
    db.pragma(`user_version = ${version + 1}`);
    return true;
  });
  while (step.immediate());
}
