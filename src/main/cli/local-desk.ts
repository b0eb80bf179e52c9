import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { ExecError, Replica, ResolveError, StatementResult } from '../replica/replica.ts';
import type { CommandFailure } from './command-answer.ts';
import type { ExecOutcome, ReplicaDesk } from './replica-desk.ts';

/** The desk of a replica that this program has open. `who` signs decisions. */
export function createLocalDesk(replica: Replica, who: string): ReplicaDesk {
  return {
    status: async () => answer(replica.status()),
    catalog: async () => answer(replica.catalog()),
    migrations: async (page) => answer(replica.migrations(page)),
    blocked: async () => answer(replica.blocked()),
    held: async (wish) => answer({ counts: replica.heldCounts(), items: replica.held(wish) }),
    exec: async (sql) => {
      const result = replica.exec(sql);
      return Promise.resolve(result.ok ? ok(result.value.map(toOutcome)) : err(toFailure(result.error)));
    },
    preview: async (conflictId, option) => {
      const result = replica.previewResolution(conflictId, option);
      return Promise.resolve(result.ok ? result : err(toFailure(result.error)));
    },
    resolve: async (wish) => {
      const result = replica.resolve({ ...wish, who });
      if (!result.ok) return Promise.resolve(err(toFailure(result.error)));
      const { admission, ...decided } = result.value;
      const { admittedGroups, factsApplied, factsSuperseded, factsHeld, migrations } = admission;
      const admitted = { groups: admittedGroups, factsApplied, factsSuperseded, factsHeld, migrations };
      return Promise.resolve(ok({ ...decided, admitted, replicas: [] }));
    },
  };
}

const answer = async <T>(value: T): Promise<Result<T, CommandFailure>> => Promise.resolve(ok(value));

function toOutcome({ sql, columns, rows, changes }: StatementResult): ExecOutcome {
  return { sql, columns: [...columns], rows: rows.map((row) => row.map(sqlValueToJson)), changes };
}

function toFailure(error: ExecError | ResolveError): CommandFailure {
  const { code, message } = error;
  const statement = 'statement' in error ? `; the statement was: ${oneLine(error.statement)}` : '';
  return { code, message: `${message}${statement}`, status: 1 };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
