import { writeFileSync } from 'node:fs';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCliHome, type CliHome } from '../support/cli-run.ts';

let home: CliHome;

beforeEach(() => {
  home = makeCliHome();
});
afterEach(() => home.remove());

interface Case {
  readonly args: readonly string[];
  readonly says: string;
}

const notUnderstood: readonly Case[] = [
  { args: ['--frob'], says: "Unknown option '--frob': `concord --help` shows what it takes." },
  { args: ['frob'], says: "Unknown command 'frob': `concord --help` shows what it takes." },
  {
    args: ['status', 'x.db', '--frob'],
    says: "Unknown option '--frob': `concord status --help` shows what it takes.",
  },
  {
    args: ['catalog'],
    says: "Missing required argument 'replica': `concord catalog --help` shows what it takes.",
  },
  { args: ['catalog', 'a.db', 'b.db'], says: 'Too many arguments' },
  { args: ['resolve', 'a.db', 'orders'], says: "Required option '--with <option>' not specified" },
  {
    args: ['resolve', 'a.db', 'orders', '--with', 'ignore', '--because', 'x'],
    says: '"ignore" is no way to decide',
  },
  {
    args: ['resolve', 'a.db', 'orders', '--with', 'merge', '--because', 'x'],
    says: '"merge" is not supported yet',
  },
  { args: ['resolve', 'a.db', 'orders', '--with', 'takeRemote'], says: 'Say why with --because' },
  { args: ['exec', 'a.db'], says: 'Give the statements as an argument' },
  { args: ['migrations', 'a.db', '--limit', 'many'], says: '--limit and --before are whole numbers' },
  { args: ['held', 'a.db', '--reason', 'bad'], says: '"bad" is no reason' },
  { args: ['held', 'delete', 'a.db', '--all'], says: 'Say why with --because' },
  {
    args: ['held', 'delete', 'a.db', '--because', 'x'],
    says: 'Say which to delete: --table, --reason or --id; or --all.',
  },
  { args: ['held', 'quarantine', 'a.db', '--id', 'x'], says: '--id takes the numbers' },
  { args: ['held', 'edit', 'a.db', '--id', '0', '--values', '{"v": 1}'], says: '--id takes a number' },
  { args: ['held', 'edit', 'a.db', '--id', '1', '--values', '{}'], says: '--values is a JSON object' },
  { args: ['held', 'edit', 'a.db', '--id', '1', '--values', 'v=1'], says: '--values is a JSON object' },
  {
    args: ['held', 'edit', 'a.db', '--id', '1', '--values', '{"v": [1]}'],
    says: '--values is a JSON object',
  },
  { args: ['held', 'drain', 'a.db', '--reason', 'bad'], says: '"bad" is no reason' },
  { args: ['scenario'], says: "Missing required argument 'file'" },
  { args: ['scenario', 'x.yaml', '--link', 'pigeon'], says: '"pigeon" is no kind of link' },
  { args: ['token'], says: '`concord token --help` lists them' },
  { args: ['token', 'create', 'x'], says: "Required option '--role <role>' not specified" },
  { args: ['token', 'create', 'x', '--role', 'god'], says: '"god" is no role' },
  {
    args: ['token', 'create', 'x', '--role', 'sync', '--site', 'short'],
    says: 'A site ID has 22 characters',
  },
  { args: ['token', 'create', 'x', '--role', 'sync', '--days', '-1'], says: 'whole number above 0' },
];

test.for(notUnderstood)(
  'concord $args is not understood, in one sentence, with status 2',
  async ({ args, says }) => {
    const { status, out, err } = await home.run(...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(says);
    expect(err.trim().split('\n')).toHaveLength(1);
  },
);

test('concord alone shows what there is, with status 2', async () => {
  const { status, err } = await home.run();
  expect(status).toBe(2);
  expect(err).toContain('Usage: concord');
});

test('help and version are answers, not mistakes', async () => {
  expect(await home.run('--version')).toEqual({ status: 0, out: '0.0.0\n', err: '' });
  const help = await home.run('resolve', '--help');
  expect(help).toMatchObject({ status: 0, err: '' });
  expect(help.out).toContain('--preview');
});

test('a replica that is nowhere is named, with status 1', async () => {
  const { status, err } = await home.run('status', 'till.db');
  expect(status).toBe(1);
  expect(err).toBe(
    'There is no file till.db, and no replica of the fleet has that name or site ID: check the path.\n',
  );
});

test('with --json a failure is one document too', async () => {
  const { out } = await home.run('status', 'till.db', '--json');
  expect(JSON.parse(out)).toEqual({
    error: { code: 'no-such-replica', message: expect.stringContaining('till.db') as string },
  });
});

test('scenario files that are not understood are named with their line, with status 2', async () => {
  writeFileSync(home.path('bad.yaml'), 'title: t\nreplicas: { a: {} }\nstep: []\nsteps: [wait: 1s]\n');
  const { status, out, err } = await home.run('scenario', 'bad.yaml', 'missing.yaml');
  expect(status).toBe(2);
  expect(err).toBe(
    'bad.yaml:3: unknown key "step" in a scenario; known here: title, settings, replicas, steps\n' +
      'missing.yaml:0: there is no such file that can be read\n',
  );
  expect(out).toBe('0 passed, 2 failed\n');
});
