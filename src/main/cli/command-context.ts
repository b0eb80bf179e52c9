import type { Ports } from '../engine/ports.ts';
import type { SystemSurroundings } from '../platform/system-surroundings.ts';

/** The surroundings of one run of the command line. Commands read nothing of the process but this. */
export interface CommandContext {
  /** Where the user stands: relative paths start here. */
  readonly cwd: string;
  readonly dataDir: string;
  readonly surroundings: SystemSurroundings;
  readonly ports: Ports;
  readonly version: string;
  readonly output: Output;
  /** Resolved when the user wants the program to end. */
  readonly interrupted: Promise<void>;
}

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches what goes to stderr. */
  readonly isTerminal: boolean;
  /** Columns of the terminal behind stdout; null for a file or a pipe. */
  readonly width: number | null;
}
