import { METADATA_FORMAT } from './metadata-schema.ts';
import type { RuntimeTooOld } from './node-api.ts';

/** Why a file is not opened. Each leaves the file, and what lies beside it, as it was. */
export type OpenError =
  | RuntimeTooOld
  | (OpenFailure & {
      readonly code:
        | 'file-not-found'
        | 'file-exists'
        | 'not-a-database'
        | 'damaged-file'
        | 'empty-file'
        | 'no-rights'
        | 'locked'
        | 'unsupported-encoding'
        | 'not-a-replica'
        | 'already-a-replica';
    })
  | (OpenFailure & { readonly code: 'other-format'; readonly found: number; readonly known: number });

interface OpenFailure {
  readonly path: string;
  /** One sentence: what, and the next step. */
  readonly message: string;
  readonly cause?: unknown;
}

type PlainCode = Exclude<OpenError['code'], 'runtime-too-old' | 'other-format'>;

const SENTENCES: Readonly<Record<PlainCode, (path: string) => string>> = {
  'file-not-found': (path) => `There is no file ${path}: check the path, or make a new replica there.`,
  'file-exists': (path) => `${path} is there already: choose another path, or attach it.`,
  'not-a-database': (path) => `${path} is not an SQLite database: choose another file.`,
  'damaged-file': (path) => `${path} is damaged: restore it from a backup, or bootstrap it from a peer.`,
  'empty-file': (path) => `${path} is empty: make a new replica there, or choose the file that was meant.`,
  'no-rights': (path) =>
    `${path} or its folder may not be written: give this user the rights, or copy the file to where it has them.`,
  locked: (path) =>
    `${path} is locked by another program: close that program or its transaction, then try again.`,
  'unsupported-encoding': (path) =>
    `${path} keeps its text as UTF-16, which does not sync: copy its content into a database with UTF-8 text.`,
  'not-a-replica': (path) => `${path} is a database but no replica yet: attach it first.`,
  'already-a-replica': (path) => `${path} is a replica already: open it.`,
};

/** An expected failure of opening, with its sentence. */
export function openError(code: PlainCode, path: string, cause?: unknown): OpenError {
  return { code, path, message: SENTENCES[code](path), ...(cause === undefined ? {} : { cause }) };
}

/** The refusal of a file whose bookkeeping another version wrote; `found` is 0 where it does not say which. */
export function otherFormatError(path: string, found: number): OpenError {
  const format = `format ${found}, and this version knows format ${METADATA_FORMAT}`;
  return {
    code: 'other-format',
    path,
    found,
    known: METADATA_FORMAT,
    message: `The bookkeeping of ${path} has ${format}: ${adviceOnFormat(found)}`,
  };
}

function adviceOnFormat(found: number): string {
  if (found > METADATA_FORMAT)
    return `a later version wrote it. Update this one, or bootstrap the file again from a peer.`;
  if (found === 0)
    return `it is not whole. Restore the file from a backup, or bootstrap it again from a peer.`;
  return `an earlier version wrote it. Open it with that version, or bootstrap it again from a peer.`;
}

/** Translates what SQLite threw while opening; throws again what is no matter of the file. */
export function sqliteToOpenError(cause: unknown, path: string): OpenError {
  const code = sqliteCode(cause);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return openError('locked', path, cause);
  if (code.startsWith('SQLITE_NOTADB')) return openError('not-a-database', path, cause);
  // A schema that does not parse comes as SQLITE_ERROR "malformed database schema".
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR')
    return openError('damaged-file', path, cause);
  if (/^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/.test(code)) return openError('no-rights', path, cause);
  throw cause;
}

/** SQLite's extended result code of a thrown error; empty for any other error. */
export function sqliteCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
