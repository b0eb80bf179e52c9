import type { SchemaEvent } from '#shared/model/schema-event.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { Ports } from '../engine/ports.ts';
import { attachReplica } from '../replica/attach-replica.ts';
import { initReplica } from '../replica/init-replica.ts';
import { openReplica, type OpenReplicaError, type OpenReplicaOptions } from '../replica/open-replica.ts';
import type { Replica } from '../replica/replica.ts';
import type { Opening, WorkerFailure, WriterTask } from './worker-messages.ts';

export interface TakenReplica {
  readonly replica: Replica;
  readonly opening: Opening;
}

const AS_IT_WAS: Opening = { attached: false, journalModeChanged: false };

/** Comes by a replica as the task says. `onSchemaEvents`: what is decided about schema changes. Errors: why not; the file is then as it was. */
export function takeReplica(
  task: WriterTask,
  ports: Ports,
  onSchemaEvents: (events: readonly SchemaEvent[]) => void,
): Result<TakenReplica, WorkerFailure> {
  const options: OpenReplicaOptions = {
    path: task.path,
    ports,
    host: { id: task.holder, address: task.address },
    onSchemaEvents,
  };
  const taken = take(task.how, options);
  return taken.ok ? taken : err(toWorkerFailure(taken.error, task.path));
}

function take(how: WriterTask['how'], options: OpenReplicaOptions): Result<TakenReplica, OpenReplicaError> {
  switch (how) {
    case 'open':
      return plain(openReplica(options));
    case 'init':
      return plain(initReplica(options));
    case 'attach': {
      const attached = attachReplica(options);
      if (attached.ok) {
        const { replica, journalModeChanged } = attached.value;
        return ok({ replica, opening: { attached: true, journalModeChanged } });
      }
      return attached.error.code === 'already-a-replica' ? plain(openReplica(options)) : attached;
    }
  }
}

function plain(opened: Result<Replica, OpenReplicaError>): Result<TakenReplica, OpenReplicaError> {
  return opened.ok ? ok({ replica: opened.value, opening: AS_IT_WAS }) : opened;
}

function toWorkerFailure(error: OpenReplicaError, path: string): WorkerFailure {
  if (error.code === 'held-by-host') {
    return { code: 'in-use-by-host', path, message: error.message, holder: error.address ?? error.host };
  }
  if (error.code === 'runtime-too-old') return error;
  // SQLite's own error stays on this side: between threads only its facts travel.
  const { cause: _cause, ...facts } = error;
  return facts;
}
