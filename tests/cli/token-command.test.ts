import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCliHome, type CliHome } from '../support/cli-run.ts';

let home: CliHome;

beforeEach(() => {
  home = makeCliHome();
});
afterEach(() => home.remove());

test('a token is made, listed without its secret, and withdrawn', async () => {
  const made = await home.run('token', 'create', 'till-1', '--role', 'sync', '--days', '30');
  expect(made).toMatchObject({ status: 0, err: '' });
  const secret = made.out.split('\n')[0] ?? '';
  expect(secret).toMatch(/^[\w-]{12}\.[\w-]{43}$/);

  const listed = await home.run('token', 'list');
  expect(listed.out).toContain('till-1');
  expect(listed.out).toContain('sync');
  expect(listed.out).not.toContain(secret.split('.')[1]);

  expect(await home.run('token', 'revoke', 'till-1')).toMatchObject({
    status: 0,
    out: 'Withdrew the token "till-1".\n',
  });
  expect(await home.run('token', 'revoke', 'till-1')).toMatchObject({ status: 1 });
  expect((await home.run('token', 'list')).out).toContain('withdrawn');
});

test('with --json the secret is in the document of create alone', async () => {
  const made: unknown = JSON.parse((await home.run('token', 'create', 'x', '--role', 'read', '--json')).out);
  expect(made).toMatchObject({
    token: { name: 'x', role: 'read', sites: null, expiresMs: null },
    secret: expect.any(String) as string,
  });
  const listed: unknown = JSON.parse((await home.run('token', 'list', '--json')).out);
  expect(listed).toMatchObject([{ name: 'x', role: 'read' }]);
  expect(JSON.stringify(listed)).not.toContain('secret');
});

test('an empty list says what to do', async () => {
  expect((await home.run('token', 'list')).out).toContain('concord token create');
});
