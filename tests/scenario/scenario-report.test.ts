import { expect, test } from 'vitest';

import {
  countLine,
  exitStatusOf,
  reportJson,
  resultLine,
  unreadableLine,
  type FileOutcome,
} from '#main/scenario/scenario-report.ts';

const passed: FileOutcome = { file: 'a.yaml', result: { title: 'All is well', passed: true } };
const failed: FileOutcome = {
  file: 'b.yaml',
  result: { title: 'Not so', passed: false, step: 3, line: 12, expected: 'on b: [[1]]', there: '[[2]]\n' },
};
const unreadable: FileOutcome = { file: 'c.yaml', unreadable: { line: 4, message: 'unknown key "x"' } };

test('a line a file: ok, or FAILED with the step, what was expected and what was there', () => {
  expect([passed, failed].map((outcome) => 'result' in outcome && resultLine(outcome.result))).toEqual([
    'ok All is well',
    'FAILED Not so: step 3 expected on b: [[1]]; there: [[2]]',
  ]);
});

test('what is not understood is named with its line', () => {
  expect(unreadableLine('c.yaml', { line: 4, message: 'unknown key "x"' })).toBe('c.yaml:4: unknown key "x"');
});

test('the last line counts; what was not understood has not passed', () => {
  expect(countLine([passed, failed, unreadable])).toBe('1 passed, 2 failed');
});

test('exit status 0 when all passed, 1 when one failed, 2 when one was not understood', () => {
  expect(exitStatusOf([passed])).toBe(0);
  expect(exitStatusOf([passed, failed])).toBe(1);
  expect(exitStatusOf([failed, unreadable])).toBe(2);
});

test('the same as one JSON document', () => {
  expect(reportJson([passed, failed, unreadable])).toEqual({
    passed: 1,
    failed: 2,
    scenarios: [
      { file: 'a.yaml', outcome: 'ok', title: 'All is well' },
      {
        file: 'b.yaml',
        outcome: 'failed',
        title: 'Not so',
        step: 3,
        line: 12,
        expected: 'on b: [[1]]',
        there: '[[2]]\n',
      },
      { file: 'c.yaml', outcome: 'notUnderstood', line: 4, message: 'unknown key "x"' },
    ],
  });
});
