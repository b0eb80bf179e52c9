import { contract } from '#shared/api/contract.ts';
import type { Method } from '#shared/api/contract.ts';
import { HostFailure, Response } from '#shared/api/envelope.ts';
import type { CallFailure, CallResult, Client, Input, Output } from '#shared/api/types.ts';
import { err, ok } from '#shared/result.ts';

import { LinkLost } from './link.ts';
import type { Link } from './link.ts';

/** The contract over a link. Never rejects: a broken pipe is the failure `host-unreachable`. */
export function createClient(link: Link): Client {
  let lastId = 0;
  return {
    call: async (method, input) => {
      lastId += 1;
      const answer = await answerOf(link, { id: lastId, method, input });
      return readAnswer(method, answer);
    },
  };
}

/** A call that came back with a failure. Thrown only for TanStack Query, which tells success by throwing. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: AnyFailure;

  constructor(failure: AnyFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** Failure of any call at all, as the words for failures take it. */
export type AnyFailure = CallFailure<Method>;

/** The value of a call. Throws `CallError` on a failure, for use as a query or mutation function. */
export async function valueOf<M extends Method>(
  client: Client,
  method: M,
  input: Input<M>,
): Promise<Output<M>> {
  const result = await client.call(method, input);
  if (!result.ok) throw new CallError(result.error);
  return result.value;
}

async function answerOf(link: Link, request: Parameters<Link['send']>[0]): Promise<unknown> {
  try {
    return await link.send(request);
  } catch (cause) {
    const detail = cause instanceof LinkLost ? cause.message : String(cause);
    return { id: request.id, result: err({ code: 'host-unreachable', detail }) };
  }
}

function readAnswer<M extends Method>(method: M, answer: unknown): CallResult<M> {
  const response = Response.safeParse(answer);
  if (!response.success) return refuse('internal');
  const { result } = response.data;
  // The contract's schemas belong to this very method, which the compiler cannot follow through the index.
  if (result.ok) {
    const value = contract[method].output.safeParse(result.value);
    return value.success ? (ok(value.data) as CallResult<M>) : refuse('internal');
  }
  const own = contract[method].error.safeParse(result.error);
  if (own.success) return err(own.data as CallFailure<M>);
  const common = HostFailure.safeParse(result.error);
  return common.success ? err(common.data) : refuse('internal');
}

/** An answer that does not fit the contract is a bug on one of the two sides. */
function refuse<M extends Method>(code: 'internal'): CallResult<M> {
  return err({ code });
}
