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
    /** The file's path. */
    readonly name: string;
    /** Why a file did not load. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
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

/** What failed in vitest, each as its file, its title and the first lines of the reason: for the end of a long log. */
export function vitestFailures(report: VitestReport): readonly string[] {
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [failureText(name, message)];
      return failed.map(({ fullName, failureMessages }) =>
        failureText(`${name} > ${fullName}`, failureMessages.join('\n')),
      );
    });
}

const REASON_LINES = 12;

function failureText(title: string, reason: string): string {
  const lines = reason.split('\n').slice(0, REASON_LINES);
  return [`FAILED ${title}`, ...lines.map((line) => `  ${line}`)].join('\n');
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
