import { expect, test } from 'vitest';

import { readHeadlessOptions } from '#main/platform/headless-options.ts';

test('without arguments it listens on loopback alone', () => {
  expect(readHeadlessOptions([])).toEqual({
    ok: true,
    value: { host: '127.0.0.1', port: 4021, dataDir: null, tlsCertFile: null, tlsKeyFile: null },
  });
});

test('takes what it is given', () => {
  const args = ['--host', '0.0.0.0', '--port=0', '--data', '/d', '--tls-cert', 'c.pem', '--tls-key', 'k.pem'];
  expect(readHeadlessOptions(args)).toEqual({
    ok: true,
    value: { host: '0.0.0.0', port: 0, dataDir: '/d', tlsCertFile: 'c.pem', tlsKeyFile: 'k.pem' },
  });
});

test.for([
  { args: ['--prot', '1'] },
  { args: ['--port', 'x'] },
  { args: ['--port', '70000'] },
  { args: ['--port', '1.5'] },
  { args: ['extra'] },
  { args: ['--port'] },
])('does not understand $args', ({ args }) => {
  const options = readHeadlessOptions(args);
  expect(options).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/^[^\n]+[.]$/) as unknown },
  });
});
