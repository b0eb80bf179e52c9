/** The outcome of something that is expected to fail at times: a value, or facts about the failure. */
export type Result<T, E extends Failure = Failure> = Success<T> | Refusal<E>;

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Refusal<E extends Failure = Failure> {
  readonly ok: false;
  readonly error: E;
}

/** Facts about an expected failure. `code` is a kebab-case literal that callers switch on. */
export interface Failure {
  readonly code: string;
}

/** Wraps a value as success. Without an argument it stands for "done, nothing to hand back". */
export function ok(): Success<undefined>;
export function ok<T>(value: T): Success<T>;
export function ok(value?: unknown): Success<unknown> {
  return { ok: true, value };
}

/** Wraps facts about an expected failure. The literal type of `code` is kept. */
export function err<const E extends Failure>(error: E): Refusal<E> {
  return { ok: false, error };
}
