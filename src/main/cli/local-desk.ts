import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { ExecError, HeldError, Replica, ResolveError, StatementResult } from '../replica/replica.ts';
import type { ReplicaReader } from '../worker/open-reader.ts';
import { refuse, type CommandFailure } from './command-answer.ts';
import type { ExecOutcome, ReplicaDesk } from './replica-desk.ts';

/** The desk of a replica that this program has open as its host. `who` signs decisions. */
export function createLocalDesk(replica: Replica, who: string): ReplicaDesk {
  return {
    ...createReadingDesk(replica),
    exec: async (sql) => {
      const result = replica.exec(sql);
      return Promise.resolve(result.ok ? ok(result.value.map(toOutcome)) : err(toFailure(result.error)));
    },
    decideHeld: async (wish) => {
      const result = replica.decideHeld({ ...wish, who });
      return Promise.resolve(result.ok ? result : err(toFailure(result.error)));
    },
    editHeld: async (wish) => {
      const result = replica.editHeld({ ...wish, who });
      return Promise.resolve(result.ok ? result : err(toFailure(result.error)));
    },
    preview: async (conflictId, option) => {
      if (option === 'newSite') return Promise.resolve(AT_THE_FILE);
      const result = replica.previewResolution(conflictId, option);
      return Promise.resolve(result.ok ? result : err(toFailure(result.error)));
    },
    resolve: async (wish) => {
      if (wish.option === 'newSite') return Promise.resolve(AT_THE_FILE);
      const result = replica.resolve({ ...wish, who });
      if (!result.ok) return Promise.resolve(err(toFailure(result.error)));
      const { admission, ...decided } = result.value;
      const { admittedGroups, factsApplied, factsSuperseded, factsHeld, migrations } = admission;
      const admitted = { groups: admittedGroups, factsApplied, factsSuperseded, factsHeld, migrations };
      return Promise.resolve(ok({ ...decided, admitted, replicas: [] }));
    },
    check: async () => answer(replica.selfCheck()),
    prune: async (request) => answer(replica.prune(request)),
    newSite: async (because) => answer(replica.newSite({ because, who })),
  };
}

/** A running host finds the other file in its fleet; a command has this one alone. */
const AT_THE_FILE = refuse(
  'at-the-file',
  'A restored or copied file is made a site of its own where it lies: concord new-site FILE --because "...". The line goes on by itself at the next sync.',
);

/** The desk of a replica that is only looked at: what would change something is refused. */
export function createReadingDesk(reader: Omit<ReplicaReader, 'rehearse'>): ReplicaDesk {
  const onlyReads = async () =>
    Promise.resolve(refuse('only-reads', 'The replica is open for reading only.'));
  return {
    status: async () => answer(reader.status()),
    catalog: async () => answer(reader.catalog()),
    migrations: async (wish) => answer(reader.migrations(wish)),
    blocked: async () => answer(reader.blocked()),
    held: async (wish) => answer({ counts: reader.heldCounts(), items: reader.held(wish) }),
    decideHeld: onlyReads,
    editHeld: onlyReads,
    findings: async () => answer(reader.findings()),
    exec: onlyReads,
    preview: onlyReads,
    resolve: onlyReads,
    check: onlyReads,
    prune: onlyReads,
    newSite: onlyReads,
  };
}

const answer = async <T>(value: T): Promise<Result<T, CommandFailure>> => Promise.resolve(ok(value));

function toOutcome({ sql, columns, rows, changes }: StatementResult): ExecOutcome {
  return { sql, columns: [...columns], rows: rows.map((row) => row.map(sqlValueToJson)), changes };
}

function toFailure(error: ExecError | ResolveError | HeldError): CommandFailure {
  const { code, message } = error;
  const statement = 'statement' in error ? `; the statement was: ${oneLine(error.statement)}` : '';
  return { code, message: `${message}${statement}`, status: 1 };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
