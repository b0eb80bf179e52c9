import { contract, type Method } from '#shared/api/contract.ts';
import { HostFailure, Push, Response } from '#shared/api/envelope.ts';
import type { CallResult, Client } from '#shared/api/types.ts';
import { err, ok } from '#shared/result.ts';

/** A pipe to a host, whatever it is made of. */
export interface ClientPipe {
  readonly send: (message: unknown) => void;
  /** Set once by the client. */
  readonly onMessage: (listener: (message: unknown) => void) => void;
  /** Tells once, with one sentence, that the pipe ended. */
  readonly onClosed: (listener: (reason: string) => void) => void;
}

type Settle = (answer: Response['result'] | { readonly broken: string }) => void;

/**
 * The contract at the far end of a pipe.
 *
 * Answers and pushes are parsed on arrival; what does not fit the contract counts as `host-unreachable`, since the
 * host speaks another language. Calls in flight end with it when the pipe does, and so do later ones.
 */
export function createClient(pipe: ClientPipe, onPush: (push: Push) => void): Client {
  const waiting = new Map<number, Settle>();
  let nextId = 0;
  let broken: string | null = null;

  pipe.onMessage((message) => {
    const push = Push.safeParse(message);
    if (push.success) {
      onPush(push.data);
      return;
    }
    const response = Response.safeParse(message);
    if (!response.success) return;
    const settle = waiting.get(response.data.id);
    waiting.delete(response.data.id);
    settle?.(response.data.result);
  });
  pipe.onClosed((reason) => {
    broken = reason;
    for (const settle of waiting.values()) settle({ broken: reason });
    waiting.clear();
  });

  return {
    call: async <M extends Method>(method: M, input: unknown): Promise<CallResult<M>> => {
      // What HostFailure makes of it is part of every call's failures, which the compiler cannot follow through M.
      const unreachable = (detail: string): CallResult<M> => err({ code: 'host-unreachable', detail });
      if (broken !== null) return unreachable(broken);
      const id = nextId;
      nextId += 1;
      const answer = await new Promise<Parameters<Settle>[0]>((resolve) => {
        waiting.set(id, resolve);
        pipe.send({ id, method, input });
      });
      if ('broken' in answer) return unreachable(answer.broken);
      return readAnswer(method, answer) ?? unreachable('it answers in another way than this Concord expects');
    },
  };
}

/** Null when it is nothing that the contract knows. */
function readAnswer<M extends Method>(method: M, answer: Response['result']): CallResult<M> | null {
  if (answer.ok) {
    const value = contract[method].output.safeParse(answer.value);
    return value.success ? (ok(value.data) as CallResult<M>) : null;
  }
  const host = HostFailure.safeParse(answer.error);
  if (host.success) return err(host.data);
  const own = contract[method].error.safeParse(answer.error);
  return own.success ? err(own.data as never) : null;
}
