import type { OpenError } from '../store/open-error.ts';
import type { ReaderMethod } from './async-replica.ts';
import type { FromCall, WorkerLogLine } from './worker-messages.ts';

export interface ToReader {
  readonly id: number;
  readonly path: string;
  readonly method: ReaderMethod;
  readonly args: readonly unknown[];
}

export type FromReader =
  FromCall | { readonly kind: 'not-open'; readonly id: number; readonly error: OpenError } | WorkerLogLine;
