import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { initReplica } from '#main/replica/init-replica.ts';
import type { Replica } from '#main/replica/replica.ts';
import { openDatabase, type OpenOptions } from '#main/store/open-database.ts';
import { systemLikePorts } from '../support/system-like-ports.ts';

// FILE-003: a process that closes any descriptor of a file loses all POSIX locks that it holds on it, whichever thread took
// them. A program with an older SQLite that then comes and goes takes itself for the last one and deletes the WAL,
// with everything that the replica commits afterwards. The kernel's own account says whether the locks are still there.
const hasLockList = existsSync('/proc/self/fdinfo');

let folder = '';
let replica: Replica | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'concord-locks-'));
});

afterEach(() => {
  replica?.close();
  rmSync(folder, { recursive: true, force: true });
});

const cases: readonly { readonly title: string; readonly options: Omit<OpenOptions, 'path'> }[] = [
  { title: 'a reader that comes and goes', options: { readOnly: true } },
  { title: 'a second connection that comes and goes', options: {} },
  { title: 'a look at a file that is refused', options: { expect: 'database' } },
];

// Skipped elsewhere: only Linux tells the locks that a process holds.
test.skipIf(!hasLockList).for(cases)('$title takes no lock of the writer along (C064)', ({ options }) => {
  const path = join(folder, 'a.db');
  const made = initReplica({ path, ports: systemLikePorts(), host: { id: 'writer', address: null } });
  if (!made.ok) throw new Error(made.error.message);
  replica = made.value;
  replica.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
  const before = locksOn(path);
  expect(before).not.toEqual([]);

  const opened = openDatabase({ path, ...options });
  if (opened.ok) opened.value.close();

  expect(locksOn(path)).toEqual(before);
});

/**
 * The ranges of a file that this process has locked: `READ 1073741826 1073742335`.
 * Asked of the descriptors of the file, not of /proc/locks: that list is read in pieces, and a line comes twice, or not
 * at all, when another process locks something in between.
 */
function locksOn(path: string): readonly string[] {
  const file = realpathSync(path);
  const locks = readdirSync('/proc/self/fd')
    .filter((descriptor) => linkOf(descriptor) === file)
    .flatMap((descriptor) => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').split('\n'))
    .filter((line) => line.startsWith('lock:'))
    .map((line) => line.replace(/^.*POSIX +\S+ +(\S+) .* (\d+) (\S+)$/, '$1 $2 $3'));
  return [...new Set(locks)].sort();
}

function linkOf(descriptor: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return null; // The descriptor of the listing itself is closed by now.
  }
}
