import type { Method } from '#shared/api/contract.ts';
import { contract } from '#shared/api/contract.ts';
import type { Handlers } from '#shared/api/types.ts';

/** Handlers of which a test gives those that it needs; any other call is a bug and throws. */
export function createFakeHandlers(given: Partial<Handlers>): Handlers {
  const refuse = (method: Method) => async (): Promise<never> => {
    throw new Error(`The test gave no answer for ${method}.`);
  };
  const methods = Object.keys(contract) as Method[];
  // Each entry is either the given handler of its method or one that never answers.
  return Object.fromEntries(
    methods.map((method) => [method, given[method] ?? refuse(method)]),
  ) as unknown as Handlers;
}
