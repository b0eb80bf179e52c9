import { err, ok, type Result } from '#shared/result.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { classifyStatement, type StatementClass } from '../sql/classify-statement.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { splitStatements } from '../sql/split-statements.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';
import { takeUpSchema } from '../store/catalog-take-up.ts';
import { sqliteCodeOf } from '../store/constraint-failure.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { drainFreed } from './drain-freed.ts';
import type { ExecError, StatementResult } from './replica.ts';

/**
 * Runs SQL through Concord: each statement is a transaction of its own unless BEGIN and COMMIT stand there; DDL is
 * recorded in the transaction that it is part of; what a transaction wrote becomes one group.
 *
 * Errors: the first statement that cannot run ends it, an open transaction is rolled back, and what was committed
 * before stays. Bookkeeping may not be touched.
 */
export function execSql(store: ReplicaStore, sql: string): Result<readonly StatementResult[], ExecError> {
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
  }
}

function createRun(store: ReplicaStore) {
  const { db } = store;
  let explicit = false;
  return {
    isOpen: () => explicit,
    abandon: () => {
      if (!db.inTransaction()) return;
      db.exec('rollback');
      store.forgetReads();
    },
    statement: (text: string): Result<StatementResult, ExecError> => {
      const kind = classifyStatement(text);
      const refusal = refuse(text, kind);
      if (refusal !== null) return err(refusal);
      try {
        return ok(runStatement(text, kind));
      } catch (cause) {
        if (sqliteCodeOf(cause) === undefined) throw cause;
        return err({
          code: 'sqlite',
          message: cause instanceof Error ? cause.message : String(cause),
          statement: text,
        });
      }
    },
  };

  function runStatement(text: string, kind: StatementClass): StatementResult {
    switch (kind.kind) {
      case 'begin':
        begin();
        explicit = true;
        return nothing(text);
      case 'commit':
        commit();
        explicit = false;
        return nothing(text);
      case 'rollback':
        if (!/\bto\b/i.test(text)) explicit = false;
        db.exec(text);
        store.forgetReads();
        return nothing(text);
      case 'vacuum':
      case 'pragma':
      case 'analyze':
      case 'reindex':
        return execute(text);
      default:
        return explicit ? inTransaction(text, kind) : alone(text, kind);
    }
  }

  function alone(text: string, kind: StatementClass): StatementResult {
    if (kind.kind === 'select' || kind.kind === 'explain') return execute(text);
    begin();
    const result = inTransaction(text, kind);
    commit();
    return result;
  }

  /** Closes what other programs wrote before, so that this transaction is a group of its own. */
  function begin(): void {
    db.exec('begin immediate');
    setSimulatedTime(store);
    store.noticeInTransaction();
  }

  function inTransaction(text: string, kind: StatementClass): StatementResult {
    const result = execute(text);
    if (DDL.has(kind.kind)) takeUpSchema(store);
    return result;
  }

  function commit(): void {
    if (!db.inTransaction()) {
      db.exec('commit');
      return;
    }
    store.noticeInTransaction();
    drainFreed(store);
    db.exec('commit');
  }

  function execute(text: string): StatementResult {
    const statement = db.raw.prepare(text).safeIntegers();
    if (!statement.reader) {
      return { sql: text, columns: [], rows: [], changes: statement.run().changes };
    }
    const columns = statement.columns().map((column) => column.name);
    return { sql: text, columns, rows: statement.raw().all() as SqlValue[][], changes: 0 };
  }
}

const nothing = (sql: string): StatementResult => ({ sql, columns: [], rows: [], changes: 0 });

/** Triggers take the time from the bookkeeping where the clock is a simulated one. */
export function setSimulatedTime(store: Pick<ReplicaStore, 'db' | 'ports'>): void {
  if (store.ports.clock.isWallClock) return;
  store.db.prepare<[bigint]>('update _concord_state set now_ms = ?').run(BigInt(store.ports.clock.nowMs()));
}

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

const READING_PRAGMAS =
  /^\s*pragma\s+(\w+\.)?(table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|integrity_check|quick_check|database_list|collation_list|compile_options|page_count|page_size|freelist_count|encoding|user_version|application_id|data_version)\b(?!\s*=)/i;

function refuse(text: string, kind: StatementClass): ExecError | null {
  const name = namesIn(text).find(isBookkeepingName);
  if (name !== undefined) {
    return {
      code: 'refused-statement',
      message: `${name} belongs to Concord's bookkeeping, which SQL may not touch.`,
      statement: text,
    };
  }
  if (kind.kind === 'attach' || kind.kind === 'detach') {
    return {
      code: 'refused-statement',
      message: 'ATTACH and DETACH reach beyond the replica: use another connection for that.',
      statement: text,
    };
  }
  if (kind.kind === 'pragma' && !READING_PRAGMAS.test(text)) {
    return {
      code: 'refused-statement',
      message: 'This PRAGMA may change what the replica relies on. Those that only read are allowed.',
      statement: text,
    };
  }
  return kind.temporary ? null : refuseUnsupported(text, kind);
}

const UNSUPPORTED: ReadonlySet<StatementClass['kind']> = new Set([
  'createView',
  'dropView',
  'createTrigger',
  'dropTrigger',
]);

/** What would not reach the peers yet is refused rather than done here alone. */
function refuseUnsupported(text: string, kind: StatementClass): ExecError | null {
  const message =
    'This kind of schema change does not travel yet, and is not made here alone: not supported yet.';
  if (UNSUPPORTED.has(kind.kind)) return { code: 'not-supported-yet', message, statement: text };
  if (kind.kind !== 'alterTable') return null;
  const parsed = parseDdl(text);
  if (!parsed.ok) return null;
  const isAddColumn = parsed.value.kind === 'alterTable' && parsed.value.action.kind === 'addColumn';
  return isAddColumn ? null : { code: 'not-supported-yet', message, statement: text };
}

const namesIn = (text: string): readonly string[] =>
  scanTokens(text).flatMap((token) =>
    token.kind === 'word'
      ? [token.text]
      : token.kind === 'quotedIdentifier'
        ? [unquoteIdentifier(token.text)]
        : [],
  );
