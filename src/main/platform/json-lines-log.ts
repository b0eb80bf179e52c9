import type { Log } from '../engine/ports.ts';

type Level = 'info' | 'warn' | 'error';
type Facts = Readonly<Record<string, unknown>>;

/** Names of facts that never reach a log, at any depth. */
const SECRET = /token|secret|cookie|authorization|password|code$/i;

const DEPTH_MAX = 6;
const TEXT_MAX = 4000;

/**
 * A log of one JSON object a line.
 *
 * Facts whose name speaks of a secret are written as `***`; long texts are cut; an error keeps its stack.
 */
export function createJsonLinesLog(deps: {
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}): Log {
  const { write, nowMs } = deps;
  const at =
    (level: Level) =>
    (event: string, facts: Facts = {}): void => {
      const time = new Date(nowMs()).toISOString();
      write(`${JSON.stringify({ time, level, event, ...asObject(clean(facts, 0)) })}\n`);
    };

  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** Says nothing: for one-off commands. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Error) return clean(value.stack ?? value.message, depth);
  if (depth >= DEPTH_MAX) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => clean(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET.test(name) && typeof item === 'string' && !isErrorCode(name, item)
        ? '***'
        : clean(item, depth + 1),
    ]),
  );
}

/** `code` is also what expected failures are told apart by. */
function isErrorCode(name: string, value: string): boolean {
  return name === 'code' && /^[A-Za-z][A-Za-z_-]{0,40}$/.test(value);
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
