import type { ScenarioResult } from './run-scenario.ts';

/** What became of one file. */
export type FileOutcome =
  | { readonly file: string; readonly result: ScenarioResult }
  | { readonly file: string; readonly unreadable: { readonly line: number; readonly message: string } };

/** One line a scenario: `ok TITLE`, or `FAILED TITLE` with the step, what was expected and what was there. */
export function resultLine(result: ScenarioResult): string {
  if (result.passed) return `ok ${oneLine(result.title)}`;
  const { title, step, expected, there } = result;
  return oneLine(`FAILED ${title}: step ${step} expected ${expected}; there: ${there}`);
}

/** Names the file, the line and the mistake. */
export function unreadableLine(
  file: string,
  mistake: { readonly line: number; readonly message: string },
): string {
  return `${file}:${mistake.line}: ${mistake.message}`;
}

/** The last line: `N passed, N failed`. What was not understood has not passed. */
export function countLine(outcomes: readonly FileOutcome[]): string {
  const passed = outcomes.filter(hasPassed).length;
  return `${passed} passed, ${outcomes.length - passed} failed`;
}

/** 0 when all passed, 2 when a file was not understood, else 1. */
export function exitStatusOf(outcomes: readonly FileOutcome[]): 0 | 1 | 2 {
  if (outcomes.some((outcome) => 'unreadable' in outcome)) return 2;
  return outcomes.every(hasPassed) ? 0 : 1;
}

/** The same as one JSON document. */
export function reportJson(outcomes: readonly FileOutcome[]): unknown {
  const passed = outcomes.filter(hasPassed).length;
  return { passed, failed: outcomes.length - passed, scenarios: outcomes.map(outcomeJson) };
}

function outcomeJson(outcome: FileOutcome): unknown {
  const { file } = outcome;
  if ('unreadable' in outcome) return { file, outcome: 'notUnderstood', ...outcome.unreadable };
  const { passed, ...facts } = outcome.result;
  return { file, outcome: passed ? 'ok' : 'failed', ...facts };
}

function hasPassed(outcome: FileOutcome): boolean {
  return 'result' in outcome && outcome.result.passed;
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim();
