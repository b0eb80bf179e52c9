import { err, ok, type Result } from '#shared/result.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { classifyStatement, type StatementClass } from '../sql/classify-statement.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { splitStatements } from '../sql/split-statements.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';
import { AdmissionRefused } from '../store/admission-refused.ts';
import { takeUpStatement } from '../store/with-recorded-ddl.ts';
import { sqliteCodeOf } from '../store/constraint-failure.ts';
import { hasListedRows } from '../store/finding-rows.ts';
import { keepFindings } from '../store/keep-findings.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { alterAlone, alterHere, parseAlterTable, readAlterTable } from './exec-alter.ts';
import { drainFreed } from './drain-freed.ts';
import { dropParked } from './drop-parked.ts';
import { refuseStatement } from './refuse-statement.ts';
import type { ExecError, StatementResult } from './replica.ts';
import { dropTemporary, refuseHiding } from './refuse-hiding.ts';

/**
 * Runs SQL through Concord: each statement is a transaction of its own unless BEGIN and COMMIT stand there; DDL is
 * recorded in the transaction that it is part of; what a transaction wrote becomes one group.
 *
 * Errors: the first statement that cannot run ends it, an open transaction is rolled back, and what was committed
 * before stays. Bookkeeping may not be touched.
 */
export function execSql(store: ReplicaStore, sql: string): Result<readonly StatementResult[], ExecError> {
  store.enforceConstraints(true);
  const run = createRun(store);
  const results: StatementResult[] = [];
  try {
    for (const { text } of splitStatements(sql)) {
      const result = run.statement(text);
      if (!result.ok) return result;
      results.push(result.value);
    }
    if (!run.isOpen()) return ok(results);
    return err({
      code: 'sqlite',
      message: 'The transaction was begun and not committed; it was rolled back.',
      statement: sql,
    });
  } finally {
    run.abandon();
    dropTemporary(store);
  }
}

interface SqlRun {
  readonly isOpen: () => boolean;
  /** Rolls back what is still open. */
  readonly abandon: () => void;
  readonly statement: (text: string) => Result<StatementResult, ExecError>;
}

function createRun(store: ReplicaStore): SqlRun {
  const { db } = store;
  let explicit = false;
  /** The savepoint that began the transaction, as SQLite lets it: its release commits. */
  let opener: string | null = null;
  return {
    isOpen: () => explicit,
    abandon: () => {
      if (!db.inTransaction()) return;
      db.exec('rollback');
      store.forgetReads();
    },
    statement: (text) => {
      const kind = classifyStatement(text);
      const refusal = refuseStatement(text, kind) ?? (kind.temporary ? refuseHiding(store, text) : null);
      if (refusal !== null) return err(refusal);
      try {
        return ok(run(text, kind));
      } catch (cause) {
        if (cause instanceof AdmissionRefused)
          return err({ code: 'sqlite', message: cause.message, statement: text });
        if (sqliteCodeOf(cause) === undefined) throw cause;
        const message = cause instanceof Error ? cause.message : String(cause);
        return err({ code: 'sqlite', message, statement: text });
      }
    },
  };

  function run(text: string, kind: StatementClass): StatementResult {
    switch (kind.kind) {
      case 'begin':
        begin(null);
        return nothing(text);
      case 'commit':
        commit();
        return nothing(text);
      case 'savepoint':
        if (!explicit) begin(savepointName(text));
        return runInside(store, text, kind);
      case 'release':
        runInside(store, text, kind);
        if (opener === savepointName(text)) commit();
        return nothing(text);
      case 'rollback':
        rollback(text);
        return nothing(text);
      default:
        return execute(store, { text, kind, isAlone: !explicit });
    }
  }

  function rollback(text: string): void {
    if (!/\bto\b/i.test(text)) explicit = false;
    db.exec(text);
    store.forgetReads();
  }

  function begin(savepoint: string | null): void {
    beginLocal(store);
    explicit = true;
    opener = savepoint;
  }

  function commit(): void {
    commitLocal(store);
    explicit = false;
    opener = null;
  }
}

/** Folded name of a SAVEPOINT or RELEASE statement: its last word. */
const savepointName = (text: string): string => {
  const name = scanTokens(text)
    .filter((token) => token.kind === 'word' || token.kind === 'quotedIdentifier')
    .at(-1);
  return name === undefined
    ? ''
    : foldIdentifier(name.kind === 'word' ? name.text : unquoteIdentifier(name.text));
};

/** What records nothing, or may not stand in a transaction. */
const WITHOUT_GROUP: ReadonlySet<StatementClass['kind']> = new Set([
  'select',
  'explain',
  'vacuum',
  'pragma',
  'analyze',
  'reindex',
]);

interface Execution {
  readonly text: string;
  readonly kind: StatementClass;
  /** Whether it is a transaction of its own. */
  readonly isAlone: boolean;
}

function execute(store: ReplicaStore, { text, kind, isAlone }: Execution): StatementResult {
  const run = (): StatementResult => runInside(store, text, kind);
  if (kind.kind === 'alterTable' && !kind.temporary) return executeAlter(store, { text, isAlone, run });
  return isAlone && !WITHOUT_GROUP.has(kind.kind) ? runAlone(store, run) : run();
}

/** What Concord cannot do itself SQLite does, or refuses in its own words. */
function executeAlter(
  store: ReplicaStore,
  alter: Pick<Execution, 'text' | 'isAlone'> & { readonly run: () => StatementResult },
): StatementResult {
  const { text, isAlone, run } = alter;
  const statement = parseAlterTable(text);
  const alterOwn = (options?: { readonly mayRebuild: boolean }): StatementResult => {
    // Read once other programs' changes are taken up: the table may be another one by now.
    const alteration = statement === null ? null : readAlterTable(store, statement);
    if (alteration === null) return run();
    alterHere(store, alteration, options);
    return nothing(text);
  };
  return isAlone
    ? alterAlone(store, statement, (options) => runAlone(store, () => alterOwn(options)))
    : alterOwn();
}

function runAlone(store: ReplicaStore, run: () => StatementResult): StatementResult {
  beginLocal(store);
  const result = run();
  commitLocal(store);
  return result;
}

function runInside(store: ReplicaStore, text: string, kind: StatementClass): StatementResult {
  if (DROPS_BODY.has(kind.kind) && dropParked(store, text)) return nothing(text);
  const run = (): StatementResult => runStatement(store, text);
  return DDL.has(kind.kind) ? takeUpStatement(store, text, run) : run();
}

/** Closes what other programs wrote before, so that this transaction is a group of its own. */
function beginLocal(store: ReplicaStore): void {
  store.db.exec('begin immediate');
  setSimulatedTime(store);
  store.noticeInTransaction();
}

function commitLocal(store: ReplicaStore): void {
  if (store.db.inTransaction()) {
    store.noticeInTransaction();
    drainFreed(store);
    if (hasListedRows(store)) keepFindings(store);
  }
  store.db.exec('commit');
}

/**
 * Writes by statements of Concord's own as a local transaction: captured, with constraints in force, and what it makes room
 * for drains in it. Throws what `work` throws; then nothing has happened.
 */
export function writeLocally<T>(store: ReplicaStore, work: () => T): T {
  store.enforceConstraints(true);
  try {
    beginLocal(store);
    const value = work();
    commitLocal(store);
    return value;
  } catch (cause) {
    if (store.db.inTransaction()) store.db.exec('rollback');
    store.forgetReads();
    throw cause;
  }
}

function runStatement(store: ReplicaStore, text: string): StatementResult {
  const statement = store.db.raw.prepare<unknown[], SqlValue[]>(text).safeIntegers();
  if (!statement.reader) return { sql: text, columns: [], rows: [], changes: statement.run().changes };
  const columns = statement.columns().map((column) => column.name);
  return { sql: text, columns, rows: statement.raw().all(), changes: 0 };
}

const nothing = (sql: string): StatementResult => ({ sql, columns: [], rows: [], changes: 0 });

/** Triggers take the time from the bookkeeping where the clock is a simulated one. */
export function setSimulatedTime(store: Pick<ReplicaStore, 'db' | 'ports'>): void {
  if (store.ports.clock.isWallClock) return;
  store.db.prepare<[bigint]>('update _concord_state set now_ms = ?').run(BigInt(store.ports.clock.nowMs()));
}

const DROPS_BODY: ReadonlySet<StatementClass['kind']> = new Set(['dropView', 'dropTrigger']);

const DDL: ReadonlySet<StatementClass['kind']> = new Set([
  'createTable',
  'createIndex',
  'dropTable',
  'dropIndex',
  'alterTable',
  'createView',
  'dropView',
  'createTrigger',
  'dropTrigger',
]);
