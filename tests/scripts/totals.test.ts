import { expect, test } from 'vitest';

import {
  formatTotals,
  playwrightTotals,
  sumTotals,
  vitestFailures,
  vitestTotals,
  withExitStatus,
} from '../../scripts/totals.ts';

const aFile = (name: string, status: string) => ({ name, status, message: '' });
const aTest = (fullName: string, status: string, ...failureMessages: readonly string[]) => ({
  fullName,
  status,
  failureMessages,
});
const counts = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };

test('vitestTotals counts passed, failed and skipped tests', () => {
  const testResults = [{ ...aFile('a.test.ts', 'failed'), assertionResults: [aTest('x', 'failed')] }];
  expect(vitestTotals({ ...counts, testResults })).toEqual({ passed: 5, failed: 1, skipped: 3 });
});

test('vitestTotals counts a file that did not load as a failure', () => {
  const testResults = [{ ...aFile('a.test.ts', 'failed'), assertionResults: [] }];
  expect(vitestTotals({ ...counts, testResults })).toMatchObject({ failed: 2 });
});

test('vitestFailures names what failed, and the file that did not load, with the beginning of the reason', () => {
  const reason = Array.from({ length: 20 }, (_line, n) => `line ${n + 1}`).join('\n');
  const testResults = [
    { ...aFile('a.test.ts', 'passed'), assertionResults: [aTest('a law', 'passed')] },
    {
      ...aFile('b.test.ts', 'failed'),
      assertionResults: [aTest('a law', 'passed'), aTest('b law', 'failed', reason)],
    },
    { ...aFile('c.test.ts', 'failed'), message: 'no such module', assertionResults: [] },
  ];
  const [one, other, ...more] = vitestFailures({ ...counts, testResults });
  expect(one?.split('\n')).toEqual([
    'FAILED b.test.ts > b law',
    ...Array.from({ length: 12 }, (_line, n) => `  line ${n + 1}`),
  ]);
  expect(other).toBe('FAILED c.test.ts\n  no such module');
  expect(more).toEqual([]);
});

test('playwrightTotals counts flaky tests and broken files as failures', () => {
  const stats = { expected: 7, unexpected: 1, flaky: 1, skipped: 2 };
  expect(playwrightTotals({ stats, errors: [{}] })).toEqual({ passed: 7, failed: 3, skipped: 2 });
});

test('withExitStatus turns a bad end without a failed test into one failure', () => {
  const fine = { passed: 3, failed: 0, skipped: 0 };
  expect(withExitStatus(fine, 0)).toEqual(fine);
  expect(withExitStatus(fine, 1)).toEqual({ ...fine, failed: 1 });
  expect(withExitStatus(fine, null)).toEqual({ ...fine, failed: 1 });
  expect(withExitStatus({ ...fine, failed: 2 }, 1)).toEqual({ ...fine, failed: 2 });
});

test('totals are summed up and written in one line', () => {
  const one = { passed: 1, failed: 2, skipped: 3 };
  expect(formatTotals(sumTotals([one, one]))).toBe('2 passed, 4 failed, 6 skipped');
});
