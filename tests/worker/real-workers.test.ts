import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { silentLog } from '#main/platform/json-lines-log.ts';
import { systemTimers } from '#main/platform/system-timers.ts';
import { makePlainDatabase, queryPlain, runPlainSql } from '#main/store/plain-connection.ts';
import { forkNodeProcess } from '#main/worker/process-end.ts';
import { createReaderPool } from '#main/worker/reader-pool.ts';
import { createReplicaKeeper, type ReplicaKeeper } from '#main/worker/replica-keeper.ts';
import { createSqlRunner } from '#main/worker/sql-runner.ts';
import { startReader, startWriter } from '#main/worker/start-workers.ts';
import type { WriterTask } from '#main/worker/worker-messages.ts';
import { createManualTimers } from '../support/manual-timers.ts';
import { aDataFolder } from '../support/rpc-server.ts';

const SHOP =
  "create table item (id integer primary key, name text); insert into item values (1, 'tea'), (2, 'jam')";

function keep(path: string, how: WriterTask['how']): ReplicaKeeper {
  let next = how;
  const keeper = createReplicaKeeper({
    start: () => {
      const end = startWriter({ path, how: next, holder: 'test', address: 'http://127.0.0.1:1' });
      next = 'open';
      return end;
    },
    readSignature: async () => null,
    nowMs: Date.now,
    log: silentLog,
  });
  onTestFinished(keeper.close);
  return keeper;
}

function aPlainFile(): string {
  const path = join(aDataFolder(), 'shop.db');
  expect(makePlainDatabase(path, SHOP).ok).toBe(true);
  return path;
}

test('a worker attaches a plain database and answers for it', async () => {
  const keeper = keep(aPlainFile(), 'attach');
  expect(await keeper.acquire()).toEqual({ ok: true, value: { attached: true, journalModeChanged: true } });
  const catalog = await keeper.replica.catalog();
  expect(catalog.objects.map(({ name, rows }) => [name, rows])).toEqual([['item', 2]]);
  const run = await keeper.replica.exec('select id, name from item where id = 9007199254740993 or id = 1');
  expect(run).toMatchObject({ ok: true, value: [{ rows: [[1n, 'tea']] }] });
});

test('attaching a replica opens it', async () => {
  const path = aPlainFile();
  const first = keep(path, 'attach');
  await first.acquire();
  await first.close();
  expect(await keep(path, 'attach').acquire()).toEqual({
    ok: true,
    value: { attached: false, journalModeChanged: false },
  });
});

test('a worker makes a new replica, and none where a file is', async () => {
  const path = join(aDataFolder(), 'new.db');
  expect(await keep(path, 'init').acquire()).toMatchObject({ ok: true });
  expect(existsSync(path)).toBe(true);
  expect(await keep(aPlainFile(), 'init').acquire()).toMatchObject({
    ok: false,
    error: { code: 'file-exists' },
  });
});

test('a file that is no database is refused, and the thread ends', async () => {
  const path = join(aDataFolder(), 'note.txt');
  writeFileSync(path, 'Not a database, but longer than the header of one. '.repeat(10));
  expect(await keep(path, 'attach').acquire()).toMatchObject({
    ok: false,
    error: { code: 'not-a-database', path },
  });
});

test('a replica that another host holds is refused with where that host is', async () => {
  const path = aPlainFile();
  await keep(path, 'attach').acquire();
  const other = createReplicaKeeper({
    start: () => startWriter({ path, how: 'open', holder: 'another', address: null }),
    readSignature: async () => null,
    nowMs: Date.now,
    log: silentLog,
  });
  onTestFinished(other.close);
  expect(await other.acquire()).toMatchObject({
    ok: false,
    error: { code: 'in-use-by-host', holder: 'http://127.0.0.1:1' },
  });
});

test("another program's write is noticed without being asked for", async () => {
  const path = aPlainFile();
  const keeper = keep(path, 'attach');
  await keeper.acquire();
  const moved = new Promise<void>((resolve) => {
    keeper.onEvent(({ kind }) => {
      if (kind === 'head') resolve();
    });
  });
  expect(runPlainSql(path, "update item set name = 'rum' where id = 1", null).ok).toBe(true);
  await moved;
});

test('a reader answers beside the writer, and says why it cannot', async () => {
  const path = aPlainFile();
  const keeper = keep(path, 'attach');
  await keeper.acquire();
  const pool = createReaderPool({ start: startReader, log: silentLog });
  onTestFinished(pool.close);
  expect(await pool.reader(path).status()).toEqual(await keeper.replica.status());
  expect(await pool.reader(path).catalog()).toEqual(await keeper.replica.catalog());
  await expect(pool.reader(join(path, '..', 'none.db')).status()).rejects.toMatchObject({
    failure: { code: 'file-not-found' },
  });
});

test('typed SQL gives rows with their exact values, up to the limit', async () => {
  const path = aPlainFile();
  await keep(path, 'attach').acquire();
  const runner = createSqlRunner({ fork: forkNodeProcess, timers: systemTimers });
  onTestFinished(runner.close);
  expect(await runner.run(path, "select 1, 9223372036854775807, 1.0, x'00ff', null, 'a'")).toEqual({
    ok: true,
    value: {
      columns: ['1', '9223372036854775807', '1.0', "x'00ff'", 'null', "'a'"],
      rows: [[1, { int: '9223372036854775807' }, { real: '1' }, { blob: '00ff' }, null, 'a']],
      truncated: false,
    },
  });
  const many = await runner.run(
    path,
    'with recursive n(i) as (select 1 union all select i + 1 from n limit 2000) select i from n',
  );
  expect(many).toMatchObject({ ok: true, value: { truncated: true } });
  expect(many.ok && many.value.rows.length).toBe(1000);
});

test('typed SQL only reads, one statement at a time, and keeps off the bookkeeping', async () => {
  const path = aPlainFile();
  await keep(path, 'attach').acquire();
  const runner = createSqlRunner({ fork: forkNodeProcess, timers: systemTimers });
  onTestFinished(runner.close);
  const codeOf = async (sql: string): Promise<string> => {
    const run = await runner.run(path, sql);
    return run.ok ? 'ran' : run.error.code;
  };
  expect({
    delete: await codeOf('delete from item'),
    attach: await codeOf("attach 'other.db' as other"),
    vacuum: await codeOf("vacuum into 'copy.db'"),
    returning: await codeOf('delete from item returning id'),
    mistake: await codeOf('select * from nothing'),
    two: await codeOf('select 1; select 2'),
    bookkeeping: await codeOf('select value from _concord_meta'),
    quoted: await codeOf('select value from "_CONCORD_meta"'),
    large: await codeOf('select hex(zeroblob(9000000))'),
  }).toEqual({
    delete: 'not-read-only',
    attach: 'not-read-only',
    vacuum: 'not-read-only',
    returning: 'not-read-only',
    mistake: 'sql-error',
    two: 'sql-error',
    bookkeeping: 'sql-error',
    quoted: 'sql-error',
    large: 'result-too-large',
  });
  expect(queryPlain(path, 'select count(*) from item')).toEqual({ ok: true, value: [[2n]] });
});

test('a statement that takes too long is killed in the middle, and the next runs in another process', async () => {
  const path = aPlainFile();
  await keep(path, 'attach').acquire();
  const timers = createManualTimers();
  const runner = createSqlRunner({ fork: forkNodeProcess, timers });
  onTestFinished(runner.close);
  const endless = runner.run(
    path,
    'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
  );
  // The place is taken in the next turn; then the limit is over at once.
  await new Promise((resolve) => setImmediate(resolve));
  timers.advance(10_000);
  expect(await endless).toEqual({ ok: false, error: { code: 'timed-out', limitMs: 10_000 } });
  expect(await runner.run(path, 'select 1')).toMatchObject({ ok: true, value: { rows: [[1]] } });
});
