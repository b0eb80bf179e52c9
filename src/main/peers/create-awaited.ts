import { assert } from '#shared/assert.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { LinkError } from './peer-link.ts';

export interface Awaited<T> {
  /** Resolves with the answer, whenever it comes. */
  readonly wait: () => Promise<Result<T, LinkError>>;
  /** False when nobody waits: an answer out of turn. */
  readonly answer: (value: T) => boolean;
  readonly fail: (why: LinkError) => boolean;
}

/** One answer that somebody waits for, never two at once. */
export function createAwaited<T>(): Awaited<T> {
  let settle: ((result: Result<T, LinkError>) => void) | null = null;

  return {
    wait: async () => {
      assert(settle === null, 'One request at a time on a link.');
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
    answer: (value) => settleWith(ok(value)),
    fail: (why) => settleWith(err(why)),
  };

  function settleWith(result: Result<T, LinkError>): boolean {
    const waiting = settle;
    settle = null;
    waiting?.(result);
    return waiting !== null;
  }
}
