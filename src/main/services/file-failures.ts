import type { Failure as FailureOf } from '#shared/api/types.ts';
import type { WorkerFailure } from '../worker/worker-messages.ts';

/** Why an existing file was not taken into the fleet, as the contract says it. */
export function toOpenFailure(failure: WorkerFailure): FailureOf<'fleet.openDatabase'> {
  if (failure.code === 'runtime-too-old') throw new Error(failure.message);
  const { path, message } = failure;
  switch (failure.code) {
    case 'in-use-by-host':
      return { code: 'in-use-by-host', path, message, holder: failure.holder };
    case 'other-format':
      return { code: 'other-format', path, message, found: failure.found, known: failure.known };
    case 'file-exists':
    case 'already-a-replica':
    case 'not-a-replica':
      throw new Error(`Attaching an existing file cannot end with ${failure.code}.`);
    default:
      return { code: failure.code, path, message };
  }
}

/** Why a new replica was not made. */
export function toCreateFailure(failure: WorkerFailure): FailureOf<'fleet.createReplica'> {
  if (failure.code === 'runtime-too-old') throw new Error(failure.message);
  const { path, message } = failure;
  switch (failure.code) {
    case 'file-exists':
    case 'no-rights':
      return { code: failure.code, path, message };
    case 'file-not-found':
      // Of a new file its folder is what is looked for.
      return { code: 'folder-not-found', path, message };
    case 'empty-file':
    case 'not-a-database':
    case 'damaged-file':
    case 'locked':
    case 'already-a-replica':
      return { code: 'file-exists', path, message };
    default:
      throw new Error(`Making a new file cannot end with ${failure.code}.`);
  }
}
