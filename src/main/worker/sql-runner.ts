import { err, type Result } from '#shared/result.ts';
import type { Timers } from '../peers/timers.ts';
import type { ReadOnlyError, ReadOnlyLimits, ReadOnlyRows } from '../store/run-read-only-sql.ts';
import type { ForkProcess, ProcessEnd } from './process-end.ts';
import type { SqlAnswer, SqlTask } from './sql-process-messages.ts';
import { workerFile } from './worker-file.ts';

export type SqlRunError = ReadOnlyError | { readonly code: 'timed-out'; readonly limitMs: number };

export interface SqlRunner {
  /** Runs one statement that only reads. Errors besides SQL's own: `timed-out`; its process was killed then. */
  readonly run: (path: string, sql: string) => Promise<Result<ReadOnlyRows, SqlRunError>>;
  readonly close: () => void;
}

const SQL_LIMITS: ReadOnlyLimits = { rowsMax: 1_000, bytesMax: 8 * 1024 * 1024 };
const SQL_LIMIT_MS = 10_000;
/** Statements that run at a time; more wait. */
const PROCESSES_MAX = 3;
/** Processes that are kept for the next statement. */
const SPARES_MAX = 1;

type Outcome = Result<ReadOnlyRows, SqlRunError>;

/** One process, and who waits for it. */
interface Lane {
  readonly end: ProcessEnd<SqlTask, SqlAnswer>;
  /** Ends the statement that runs in it; null when none does. */
  settle: ((outcome: Outcome) => void) | null;
}

/** Runs typed SQL in processes of its own, which are killed when a statement takes too long. One is kept for the next. */
export function createSqlRunner(deps: { readonly fork: ForkProcess; readonly timers: Timers }): SqlRunner {
  const waiting: (() => void)[] = [];
  const lanes = new Set<Lane>();
  let places = PROCESSES_MAX;
  let nextId = 0;

  return {
    run: async (path, sql) => {
      await takePlace();
      try {
        nextId += 1;
        return await runIn(findLane(), { id: nextId, path, sql, limits: SQL_LIMITS });
      } finally {
        places += 1;
        waiting.shift()?.();
      }
    },
    close: () => {
      for (const { end } of lanes) end.kill();
    },
  };

  async function takePlace(): Promise<void> {
    while (places === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    places -= 1;
  }

  function findLane(): Lane {
    return [...lanes].find(({ settle }) => settle === null) ?? startLane();
  }

  function startLane(): Lane {
    const lane: Lane = { end: deps.fork<SqlTask, SqlAnswer>(workerFile('sql-process')), settle: null };
    lanes.add(lane);
    lane.end.onMessage(({ outcome }) => {
      lane.settle?.(outcome);
      const idle = [...lanes].filter(({ settle }) => settle === null);
      if (idle.length > SPARES_MAX) drop(lane);
    });
    lane.end.onExit(() => {
      lanes.delete(lane);
      lane.settle?.(err({ code: 'sql-error', message: 'The process that ran it ended.' }));
    });
    return lane;
  }

  function drop(lane: Lane): void {
    lanes.delete(lane);
    lane.end.kill();
  }

  function runIn(lane: Lane, task: SqlTask): Promise<Outcome> {
    return new Promise((resolve) => {
      const cancel = deps.timers.after(SQL_LIMIT_MS, () => {
        lane.settle?.(err({ code: 'timed-out', limitMs: SQL_LIMIT_MS }));
        drop(lane);
      });
      lane.settle = (outcome) => {
        lane.settle = null;
        cancel();
        resolve(outcome);
      };
      lane.end.send(task);
    });
  }
}
