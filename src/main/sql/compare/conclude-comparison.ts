import { DIFFERENCE_KINDS, type AppliedRule, type Comparison, type Difference } from '../comparison.ts';

/** Gathers what was found: differences in a fixed order, each rule once per subject. */
export function concludeComparison(
  differences: readonly Difference[],
  rules: readonly AppliedRule[],
): Comparison {
  const byKey = new Map(rules.map((applied) => [JSON.stringify([applied.rule, applied.subject]), applied]));
  return {
    equal: differences.length === 0,
    differences: differences.toSorted(compareOrder),
    rules: [...byKey.values()],
  };
}

function compareOrder(left: Difference, right: Difference): number {
  const byKind = DIFFERENCE_KINDS.indexOf(left.kind) - DIFFERENCE_KINDS.indexOf(right.kind);
  if (byKind !== 0 || left.subject === right.subject) return byKind;
  return left.subject < right.subject ? -1 : 1;
}
