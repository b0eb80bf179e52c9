import { err, ok, type Result } from '#shared/result.ts';

import type { DdlStatement } from './ast.ts';
import { canonicalStatement } from './canonical-statement.ts';
import { compareIndexes } from './compare-indexes.ts';
import { compareTables } from './compare-tables.ts';
import { compareTriggers } from './compare-triggers.ts';
import { compareViews } from './compare-views.ts';
import { concludeComparison } from './compare/conclude-comparison.ts';
import { explainTexts } from './compare/explain-texts.ts';
import type { AppliedRule, Comparison } from './comparison.ts';
import { parseDdl, type DdlError } from './parse-ddl.ts';

/** A comparison with the texts that it was made of. */
export interface ExplainedComparison extends Comparison {
  /** Canonical texts of the two. */
  readonly left: string;
  readonly right: string;
}

export interface IncomparableStatements {
  /** One of the two creates another kind of object than the other, or none. */
  readonly code: 'other-kind';
  readonly left: DdlStatement['kind'];
  readonly right: DdlStatement['kind'];
}

/**
 * Compares two CREATE texts as structures, and explains: what is written differently in the texts themselves (white
 * space, comments, case, quotes) is named beside what the structures tell.
 *
 * Errors:
 * - `ddl-syntax`: one of the two cannot be read.
 * - `other-kind`: they do not create the same kind of object.
 */
export function compareStatements(
  leftText: string,
  rightText: string,
): Result<ExplainedComparison, DdlError | IncomparableStatements> {
  const left = parseDdl(leftText);
  if (!left.ok) return left;
  const right = parseDdl(rightText);
  if (!right.ok) return right;

  const comparison = compareDefinitions(left.value, right.value);
  if (comparison === undefined)
    return err({ code: 'other-kind', left: left.value.kind, right: right.value.kind });
  const spelling = explainTexts(leftText, rightText).map((rule): AppliedRule => ({ rule, subject: '' }));
  const { differences, rules } = comparison;
  return ok({
    ...concludeComparison(differences, [...spelling, ...rules]),
    left: canonicalStatement(left.value),
    right: canonicalStatement(right.value),
  });
}

/** Compares two creations as structures; undefined when they do not create the same kind of object. */
export function compareDefinitions(left: DdlStatement, right: DdlStatement): Comparison | undefined {
  if (left.kind === 'createTable' && right.kind === 'createTable')
    return compareTables(left.table, right.table);
  if (left.kind === 'createIndex' && right.kind === 'createIndex')
    return compareIndexes(left.index, right.index);
  if (left.kind === 'createView' && right.kind === 'createView') return compareViews(left.view, right.view);
  if (left.kind === 'createTrigger' && right.kind === 'createTrigger') {
    return compareTriggers(left.trigger, right.trigger);
  }
  return undefined;
}
