import type { z } from 'zod';

import { contract, type Method } from '#shared/api/contract.ts';
import { Request, type HostFailure, type Response } from '#shared/api/envelope.ts';
import type { Caller, Handlers } from '#shared/api/types.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { Log } from '../engine/ports.ts';

/** Answers one message of one caller. */
export type Dispatch = (raw: unknown, caller: Caller) => Promise<Response>;

/** A handler as the dispatcher sees it: which method it is for is known only at run time. */
type AnyHandler = (
  input: unknown,
  caller: Caller,
) => Promise<Result<unknown, Failure & Record<string, unknown>>>;

const PROBLEMS_MAX = 3;

/**
 * Turns one untrusted message into one response. Every pipe calls it; none knows a method.
 *
 * What comes in is parsed by the contract, and so is what goes out: a value of another shape than promised is a
 * bug and never leaves the host (HOST-003).
 *
 * Errors: never rejects. `bad-request`, `unknown-method`, `not-allowed`, and `internal` for a bug, whose stack is in
 * the log alone.
 */
export function createDispatcher(handlers: Handlers, log: Log): Dispatch {
  return async (raw, caller) => {
    const request = Request.safeParse(raw);
    if (!request.success) return fail(-1, { code: 'bad-request', detail: describe(request.error) });

    const { id, method, input } = request.data;
    if (!isMethod(method)) return fail(id, { code: 'unknown-method', method });
    const { kind, input: inputSchema } = contract[method];
    if (kind === 'command' && caller.role !== 'operate') return fail(id, { code: 'not-allowed' });
    const parsed = inputSchema.safeParse(input);
    if (!parsed.success) return fail(id, { code: 'bad-request', detail: describe(parsed.error) });

    try {
      // The contract parsed this input for this very method, which the compiler cannot see.
      const handle = handlers[method] as AnyHandler;
      return { id, result: checkResult(method, await handle(parsed.data, caller)) };
    } catch (bug) {
      log.error('rpc.handler-threw', { method, bug });
      return fail(id, { code: 'internal' });
    }
  };
}

function checkResult(method: Method, result: Awaited<ReturnType<AnyHandler>>): Response['result'] {
  if (result.ok) return { ok: true, value: contract[method].output.parse(result.value) };
  contract[method].error.parse(result.error);
  return result;
}

const isMethod = (name: string): name is Method => Object.hasOwn(contract, name);

const fail = (id: number, error: HostFailure): Response => ({ id, result: { ok: false, error } });

/** Where and why, without the values: they may be anybody's data. */
function describe(error: z.ZodError): string {
  return error.issues
    .slice(0, PROBLEMS_MAX)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ');
}
