import { err, type Result } from '#shared/result.ts';
import type { Ports } from '../engine/ports.ts';
import type { Replica } from '../replica/replica.ts';
import type { HostSpec } from './host-calls.ts';

export interface ScenarioOpenError {
  readonly code: string;
  readonly message: string;
}

/** Opens the replica of a scenario's host. */
export function openScenarioReplica(_spec: HostSpec, _ports: Ports): Result<Replica, ScenarioOpenError> {
  return err({ code: 'not-supported-yet', message: 'not supported yet' });
}
