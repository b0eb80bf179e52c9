import { expect, test } from 'vitest';

import { createJsonLinesLog } from '#main/platform/json-lines-log.ts';

function written(facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const lines: string[] = [];
  createJsonLinesLog({ write: (line) => lines.push(line), nowMs: () => 0 }).warn('a.b', facts);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('\n')).toBe(true);
  return JSON.parse(lines[0] ?? '') as Readonly<Record<string, unknown>>;
}

test('a line says when, how bad and what', () => {
  expect(written({ seq: 7n, path: '/a.db' })).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    level: 'warn',
    event: 'a.b',
    seq: '7',
    path: '/a.db',
  });
});

test.for(['token', 'signInCode', 'Authorization', 'cookie', 'clientSecret', 'password'])(
  'what is named %s is not written, at any depth',
  (name) => {
    const secret = 'Zm9v.YmFy-0123456789';
    expect(JSON.stringify(written({ [name]: secret, deep: [{ [name]: secret }] }))).not.toContain(secret);
  },
);

test('the code of an expected failure is written', () => {
  expect(written({ error: { code: 'not-a-database' }, cause: { code: 'SQLITE_BUSY' } })).toMatchObject({
    error: { code: 'not-a-database' },
    cause: { code: 'SQLITE_BUSY' },
  });
});

test('an error keeps its stack, a long text and a deep object are cut', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const line = written({ bug: new Error('lost'), text: 'x'.repeat(10_000), circle });
  expect(line['bug']).toContain('json-lines-log.test.ts');
  expect(String(line['text']).length).toBeLessThan(5000);
});
