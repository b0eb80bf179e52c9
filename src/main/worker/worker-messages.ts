import type { SchemaEvent } from '#shared/model/schema-event.ts';

import type { OpenError } from '../store/open-error.ts';
import type { ReplicaMethod } from './async-replica.ts';

// Between the main thread and a worker of ours; both are the same build, so nothing is parsed.

/** How a writer worker comes by its replica. */
export interface WriterTask {
  readonly path: string;
  /** open: it must be a replica. attach: made one when it is a plain database. init: made new. */
  readonly how: 'open' | 'attach' | 'init';
  /** Names this host in the lease. */
  readonly holder: string;
  /** Where this host is reached, for other programs; null when it is not. */
  readonly address: string | null;
}

/** What opening did. */
export interface Opening {
  /** The file was a plain database and is a replica now. */
  readonly attached: boolean;
  readonly journalModeChanged: boolean;
}

export type WorkerFailure =
  | OpenError
  | {
      readonly code: 'in-use-by-host';
      readonly path: string;
      readonly message: string;
      readonly holder: string;
    };

export type ToWriter =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: ReplicaMethod;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'opened'; readonly opening: Opening }
  | { readonly kind: 'refused'; readonly error: WorkerFailure }
  | FromCall
  /** Something was recorded: by a call, or by another program and noticed. */
  | { readonly kind: 'head'; readonly head: number }
  /** What was decided about schema changes. */
  | { readonly kind: 'schema'; readonly events: readonly SchemaEvent[] }
  /** What Concord could not do by itself, such as a notice while another program keeps the file locked. */
  | { readonly kind: 'trouble'; readonly message: string | null }
  | WorkerLogLine;

export type FromCall =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'threw'; readonly id: number; readonly message: string; readonly stack: string };

export interface WorkerLogLine {
  readonly kind: 'log';
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly facts: Readonly<Record<string, unknown>>;
}
