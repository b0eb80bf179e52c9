// The names of the Electron pipe. The preload imports this file and nothing more of Concord.

export const CALL_CHANNEL = 'concord:call';
export const PUSH_CHANNEL = 'concord:push';
export const PICK_FILE_CHANNEL = 'concord:pick-file';

/** What the preload lays on the page's global object as `consoleBridge`. */
export interface ConsoleBridge {
  /** Sends an envelope's Request; resolves with its Response. */
  readonly call: (request: unknown) => Promise<unknown>;
  /** Hears every Push; returns what ends it. */
  readonly onPush: (listener: (message: unknown) => void) => () => void;
  /** The system's dialog: a path, or null when the person gave up. A browser has none: there a path is typed. */
  readonly pickFile: (purpose: PickPurpose) => Promise<string | null>;
}

export type PickPurpose = 'openDatabase' | 'createReplica';
