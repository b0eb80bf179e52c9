/** A broken promise of our own code. Never caught but at the edges, where it becomes `internal`. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/**
 * Throws when a condition does not hold that our own code promised. Stays on in production.
 *
 * Not for input from outside: an expected failure is returned as a `Result`.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (condition === false || condition === undefined || condition === null) throw new AssertionError(message);
}

/**
 * Marks a place that no value can reach. Written as the default of a `switch` over a closed
 * union, it makes a forgotten case fail to compile, and throws should one arrive all the same.
 */
export function unreachable(value: never): never {
  throw new AssertionError(`Unreachable value: ${JSON.stringify(value)}`);
}

/** Hands back a value that our own code promised to be there; throws when it is not. */
export function present<T>(value: T, message: string): NonNullable<T> {
  assert(value !== undefined && value !== null, message);
  return value;
}
