import { err, type Result } from '#shared/result.ts';
import type { Replica } from '../replica/replica.ts';
import type { CommandContext } from './command-context.ts';

/** Why a file is not opened; the sentence is in it. */
export interface OpenFileError {
  readonly code: string;
  readonly message: string;
  /** Where the host that holds it can be called; null when it cannot. */
  readonly address?: string | null;
}

/** Opens a replica's file as a host of its own for the time of one command. */
export function openReplicaFile(_context: CommandContext, _path: string): Result<Replica, OpenFileError> {
  return err({ code: 'not-supported-yet', message: 'not supported yet' });
}
