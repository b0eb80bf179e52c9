import type { Method } from '#shared/api/contract.ts';
import type { CallFailure, CallResult, Client } from '#shared/api/types.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { CommandFailure } from './command-answer.ts';
import { callSentence } from './error-sentence.ts';
import type { ReplicaDesk } from './replica-desk.ts';

/** The desk of a replica that a running host holds: asks that host. */
export function createHostDesk(client: Client, ref: string): ReplicaDesk {
  return {
    status: async () => {
      const answer = await client.call('replica.get', { ref });
      if (!answer.ok) return asFailure(answer);
      const { status, reason } = answer.value;
      return status === null
        ? err(failure('replica-unavailable', reason ?? 'The host knows no state of it yet: try again.'))
        : ok(status);
    },
    catalog: async () => asked(await client.call('replica.catalog', { ref })),
    migrations: async (wish) => asked(await client.call('replica.migrations', { ref, ...wish })),
    blocked: async () => asked(await client.call('replica.blocked', { ref })),
    held: async (wish) => asked(await client.call('replica.held', { ref, ...wish })),
    decideHeld: async (wish) => asked(await client.call('replica.decideHeld', { ref, ...wish })),
    editHeld: async (wish) => asked(await client.call('replica.editHeld', { ref, ...wish })),
    findings: async () => asked(await client.call('replica.findings', { ref })),
    exec: async (sql) => asked(await client.call('replica.exec', { ref, sql })),
    preview: async (conflictId, option) =>
      asked(await client.call('blocked.preview', { ref, conflictId, option })),
    resolve: async (wish) => asked(await client.call('blocked.resolve', { ref, ...wish })),
    check: async () => {
      const answer = asked(await client.call('replica.check', { ref }));
      return answer.ok ? ok(answer.value.problems) : answer;
    },
    prune: async (request) => asked(await client.call('replica.prune', { ref, ...request })),
    newSite: async (because) => asked(await client.call('replica.newSite', { ref, because })),
  };
}

function asked<M extends Method, T>(answer: CallResult<M> & Result<T>): Result<T, CommandFailure> {
  return answer.ok ? answer : asFailure(answer);
}

function asFailure<M extends Method>(answer: { readonly ok: false; readonly error: CallFailure<M> }) {
  return err(failure(answer.error.code, callSentence(answer.error)));
}

function failure(code: string, message: string): CommandFailure {
  return { code, message, status: 1 };
}
