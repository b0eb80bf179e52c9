import type { z } from 'zod';

import type { Result } from '../result.ts';
import type { Contract, Method } from './contract.ts';
import type { HostFailure } from './envelope.ts';

export type Input<M extends Method> = z.output<Contract[M]['input']>;
export type Output<M extends Method> = z.output<Contract[M]['output']>;
export type Failure<M extends Method> = z.output<Contract[M]['error']>;

/** What a client may get back: the call's own failures and those of any call. */
export type CallFailure<M extends Method> = Failure<M> | HostFailure;
export type CallResult<M extends Method> = Result<Output<M>, CallFailure<M>>;

/** Who calls: named in the decision journal and the activity list. */
export interface Caller {
  readonly name: string;
  /** `read` may run queries, `operate` everything. */
  readonly role: 'read' | 'operate';
}

export type Handler<M extends Method> = (
  input: Input<M>,
  caller: Caller,
) => Promise<Result<Output<M>, Failure<M>>>;

/** One handler for each call: a missing or wrong one does not compile. */
export type Handlers = { readonly [M in Method]: Handler<M> };

/** The same contract seen by a client, whatever pipe is between. Never rejects. */
export interface Client {
  readonly call: <M extends Method>(method: M, input: Input<M>) => Promise<CallResult<M>>;
}
