import { automerge } from './automerge.ts';
import type { Candidate } from './candidate.ts';
import { concord } from './concord.ts';
import { crSqlite } from './cr-sqlite.ts';
import { rxdb } from './rxdb.ts';
import { sqliteSync } from './sqlite-sync.ts';
import { tinybase } from './tinybase.ts';
import { yjs } from './yjs.ts';

/** Concord, and what it is compared with. */
export const CANDIDATES: ReadonlyMap<string, Candidate> = new Map([
  ['concord', concord],
  ['sqlite-sync', sqliteSync],
  ['yjs', yjs],
  ['RxDB', rxdb],
  ['TinyBase', tinybase],
  ['cr-sqlite WASM', crSqlite],
  ['Automerge', automerge],
]);
