/** How a step or an expectation ended. */
export type StepOutcome =
  | { readonly passed: true }
  | {
      readonly passed: false;
      readonly expected: string;
      readonly there: string;
      /** The feature is not built: no `fails` makes this a pass. */
      readonly isUnsupported: boolean;
    };

export const PASSED: StepOutcome = { passed: true };

export function failed(expected: string, there: string): StepOutcome {
  return { passed: false, expected, there, isUnsupported: false };
}

/** A step whose feature is not built never passes. */
export function notSupportedYet(what: string): StepOutcome {
  return { passed: false, expected: what, there: 'not supported yet', isUnsupported: true };
}

/** Tries one after the other and stops at the first that does not pass. */
export async function firstFailure<T>(
  items: readonly T[],
  attempt: (item: T) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  for (const item of items) {
    const outcome = await attempt(item);
    if (!outcome.passed) return outcome;
  }
  return PASSED;
}

/** All of them must fail with this text in the message, whatever the case. */
export function mustFail(outcomes: readonly StepOutcome[], text: string): StepOutcome {
  for (const outcome of outcomes) {
    if (outcome.passed) return failed(`a failure that says "${text}"`, 'no failure');
    if (outcome.isUnsupported) return outcome;
    if (!outcome.there.toLowerCase().includes(text.toLowerCase())) {
      return failed(`a failure that says "${text}"`, outcome.there);
    }
  }
  return PASSED;
}
