import { expect, test } from 'vitest';

import {
  formatTotals,
  playwrightTotals,
  sumTotals,
  vitestTotals,
  withExitStatus,
} from '../../scripts/totals.ts';

const counts = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };

test('vitestTotals counts passed, failed and skipped tests', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }];
  expect(vitestTotals({ ...counts, testResults })).toEqual({ passed: 5, failed: 1, skipped: 3 });
});

test('vitestTotals counts a file that did not load as a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(vitestTotals({ ...counts, testResults })).toMatchObject({ failed: 2 });
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
