/** How many tests, or checks, ended in which way. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What is read of the report that vitest's JSON reporter writes. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** What is read of the report that Playwright's JSON reporter writes. */
export interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly unknown[];
}

/** Counts vitest's tests. A file that did not load counts as one failure, for it holds tests that did not run. */
export function vitestTotals(report: VitestReport): Totals {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts Playwright's tests. One that passed only on a second try failed, and so did a file that did not load. */
export function playwrightTotals(report: PlaywrightReport): Totals {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped };
}

/** Makes sure that a runner which ended badly shows up in the count, whatever its report says. */
export function withExitStatus(totals: Totals, status: number | null): Totals {
  return status === 0 || totals.failed > 0 ? totals : { ...totals, failed: 1 };
}

export function sumTotals(all: readonly Totals[]): Totals {
  const sum = (pick: (totals: Totals) => number): number => all.reduce((so, one) => so + pick(one), 0);
  return { passed: sum((t) => t.passed), failed: sum((t) => t.failed), skipped: sum((t) => t.skipped) };
}

export function formatTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
