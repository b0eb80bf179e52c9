import type { Log, Ports } from '../engine/ports.ts';
import { secureRandom } from './secure-random.ts';
import { sha256 } from './sha256.ts';
import { systemClock } from './system-clock.ts';

/** The real world for an engine: this machine's clock, randomness and hash. */
export function createSystemPorts(log: Log): Ports {
  return { clock: systemClock, random: secureRandom, hash: sha256, log };
}
