import { writeFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { queryPlain } from '#main/store/plain-connection.ts';
import { makeCliHome, type CliHome, type CliRun } from '../support/cli-run.ts';

/** Workers of a host take about a second to start on a busy machine, and no test is timed. */
const PATIENCE_MS = 60_000;

let ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  ends = [];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
});

function newHome(): CliHome {
  const home = makeCliHome();
  ends.push(async () => {
    home.remove();
    return Promise.resolve();
  });
  return home;
}

interface Serving {
  readonly url: string;
  readonly signInLink: string;
  readonly end: () => Promise<CliRun>;
}

/** Starts `concord serve` and waits until it says that it listens. */
async function serve(home: CliHome, ...files: readonly string[]): Promise<Serving> {
  let interrupt = (): void => undefined;
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const said = await new Promise<{ readonly text: string; readonly running: Promise<CliRun> }>(
    (resolve, reject) => {
      const running = home.runWith(
        { interrupted, onOut: (text) => resolve({ text, running }) },
        ...['serve', ...files, '--port', '0', '--json'],
      );
      running.then(({ err }) => reject(new Error(err)), reject);
    },
  );
  const end = async (): Promise<CliRun> => {
    interrupt();
    return said.running;
  };
  ends.push(async () => {
    await end();
  });
  return { ...(JSON.parse(said.text) as { readonly url: string; readonly signInLink: string }), end };
}

/** Asks until a condition holds: a host opens its files and syncs by itself, after it listens. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

const isHeld = async (home: CliHome, file: string): Promise<boolean> =>
  (await home.run('status', file)).err.includes('is held by a running host');

describe('a host that holds a replica', { timeout: PATIENCE_MS }, () => {
  test('tells where it is, and ends properly when it is told to', async () => {
    const home = newHome();
    const { url, signInLink, end } = await serve(home);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(signInLink.startsWith(url)).toBe(true);
    expect(await end()).toMatchObject({ status: 0, err: '' });
  });

  test('acts for the command line, which says so; reading reads the file beside it', async () => {
    const home = newHome();
    await home.run('init', 'a.db');
    await serve(home, 'a.db');
    await until(async () => isHeld(home, 'a.db'));

    const run = await home.run(
      'exec',
      'a.db',
      "create table t (id integer primary key, v text); insert into t values (1, 'x')",
    );
    expect(run.status).toBe(0);
    expect(run.err).toMatch(/^a is held by the host at http:\/\/127\.0\.0\.1:\d+, which answers for it\.\n$/);
    expect(run.out).toContain('1 row changed');
    expect(queryPlain(home.path('a.db'), 'select id, v from t')).toEqual({ ok: true, value: [[1n, 'x']] });

    const catalog = await home.run('catalog', 'a');
    expect(catalog.err).toBe('a is held by a running host; this is what its file says.\n');
    expect(catalog.out).toMatch(/table +t/);
    // The token that was made for it is not left in force.
    expect((await home.run('token', 'list')).out).not.toMatch(/ (yes|until .*)$/m);
  });

  test('cannot be pushed aside by detach', async () => {
    const home = newHome();
    await home.run('init', 'a.db');
    await serve(home, 'a.db');
    await until(async () => isHeld(home, 'a.db'));
    const detached = await home.run('detach', 'a.db');
    expect(detached.status).toBe(1);
    expect(detached.err).toMatch(
      /^Another Concord has this replica open .*: use that one, or close it first\.\n$/,
    );
  });

  test('decides a conflict for the command line', async () => {
    const home = newHome();
    await home.run('init', 'a.db');
    await home.run('init', 'b.db');
    await home.run('exec', 'a.db', 'create table orders (id text primary key, total real)');
    await home.run('exec', 'b.db', 'create table orders (id text primary key, total text)');
    await home.run('sync', 'a.db', 'b.db');
    await serve(home, 'b.db');
    await until(async () => isHeld(home, 'b.db'));

    const preview = await home.run('resolve', 'b', 'orders', '--with', 'takeRemote', '--preview');
    expect(preview).toMatchObject({ status: 0 });
    expect(preview.out).toContain('With takeRemote, b changes the shape of orders.');
    const decided = await home.run('resolve', 'b', 'orders', '--with', 'takeRemote', '--because', 'numbers');
    expect(decided).toMatchObject({ status: 0 });
    expect(decided.out).toContain('orders is decided on b with takeRemote');
  });
});

describe('a peer behind another host', { timeout: PATIENCE_MS }, () => {
  test('W11 syncs both ways with a token, and tells nothing without one', async () => {
    const [far, near] = [newHome(), newHome()];
    await far.run('init', 'hub.db');
    await far.run(
      'exec',
      'hub.db',
      "create table t (id integer primary key, v text); insert into t values (1, 'from the hub')",
    );
    const { out } = await far.run('status', 'hub.db', '--json');
    const { site } = JSON.parse(out) as { readonly site: string };
    const host = await serve(far, 'hub.db');
    await until(async () => isHeld(far, 'hub.db'));
    const { secret } = JSON.parse(
      (await far.run('token', 'create', 'near', '--role', 'sync', '--json')).out,
    ) as {
      readonly secret: string;
    };
    const peer = `${host.url.replace('http', 'ws')}/${site}`;
    await near.run('init', 'till.db');
    await near.run('exec', 'till.db', 'create table u (id integer primary key); insert into u values (7)');

    for (const env of [{}, { CONCORD_TOKEN: 'guessed.token' }]) {
      const refused = await near.runWith({ env }, 'sync', 'till.db', peer);
      expect(refused).toMatchObject({ status: 1, out: '' });
      expect(refused.err).toContain('wants a token that it knows');
    }
    expect(queryPlain(near.path('till.db'), 'select name from sqlite_schema')).toEqual({
      ok: true,
      value: [['u']],
    });

    writeFileSync(near.path('secret'), `${secret}\n`);
    const synced = await near.run('sync', 'till.db', peer, '--token-file', 'secret');
    expect(synced).toEqual({
      status: 0,
      err: '',
      out: `till.db → ${peer}: 1 fact, 1 schema change.\n${peer} → till.db: 1 fact, 1 schema change.\n`,
    });
    expect(queryPlain(near.path('till.db'), 'select v from t')).toEqual({
      ok: true,
      value: [['from the hub']],
    });
    expect(queryPlain(far.path('hub.db'), 'select id from u')).toEqual({ ok: true, value: [[7n]] });

    await near.run('exec', 'till.db', 'insert into u values (8)');
    const oneWay = await near.run('sync', peer, 'till.db', '--one-way', '--token-file', 'secret');
    expect(oneWay).toMatchObject({ status: 0, out: `${peer} → till.db: nothing new.\n` });
    expect(queryPlain(far.path('hub.db'), 'select count(*) from u')).toEqual({ ok: true, value: [[1n]] });
  });
});
