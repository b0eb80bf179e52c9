import type { CatalogDiff, ObjectDefinition, ObjectDiff } from '#shared/model/catalog-diff.ts';
import { ObjectKind } from '#shared/model/vocabulary.ts';

import type { DdlStatement } from '../sql/ast.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { compareDefinitions } from '../sql/compare-statements.ts';
import { explainTexts } from '../sql/compare/explain-texts.ts';
import type { AppliedRule, Comparison, Difference } from '../sql/comparison.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { isSpeltAlike } from './is-spelt-alike.ts';
import { RULE_WORDS } from './diff-rule-words.ts';

/** What may differ for ever without harm. Source: engine.md, section 3, Verdicts. */
const DRIFT: ReadonlySet<string> = new Set(['check', 'foreignKey', 'constraintName', 'columnOrder']);

/**
 * Sets two catalogs side by side: equal, drift, different, only here, only there.
 *
 * Objects are the same when they are of one kind and have one name. They are compared by meaning, and what is written
 * alike is not even parsed. `explain`: with the normalised texts and the rules of what is equal though written
 * differently.
 */
export function diffCatalogs(sides: {
  readonly left: readonly ObjectDefinition[];
  readonly right: readonly ObjectDefinition[];
  readonly explain: boolean;
}): CatalogDiff {
  const left = byKey(sides.left);
  const right = byKey(sides.right);
  const counts = { equal: 0, drift: 0, different: 0, onlyLeft: 0, onlyRight: 0 };
  const items: ObjectDiff[] = [];
  for (const key of [...new Set([...left.keys(), ...right.keys()])].toSorted(inOrder)) {
    const item = diffObject({ left: left.get(key), right: right.get(key), explain: sides.explain });
    counts[item?.state ?? 'equal'] += 1;
    if (item !== null) items.push(item);
  }
  return { counts, items };
}

function byKey(definitions: readonly ObjectDefinition[]): ReadonlyMap<string, ObjectDefinition> {
  return new Map(
    definitions.map((definition) => [
      `${ObjectKind.options.indexOf(definition.kind)} ${foldIdentifier(definition.name)}`,
      definition,
    ]),
  );
}

const inOrder = (left: string, right: string): number => (left < right ? -1 : 1);

interface ObjectPair {
  readonly left: ObjectDefinition | undefined;
  readonly right: ObjectDefinition | undefined;
  readonly explain: boolean;
}

/** Null when both are equal and nobody wants to know why. */
function diffObject({ left, right, explain }: ObjectPair): ObjectDiff | null {
  if (left !== undefined && right !== undefined) return diffPair(left, right, explain);
  const only = left ?? right;
  if (only === undefined) return null;
  const text = normalised(only.sql);
  return {
    kind: only.kind,
    name: only.name,
    state: left === undefined ? 'onlyRight' : 'onlyLeft',
    left: left === undefined ? null : text,
    right: right === undefined ? null : text,
    differences: [],
    rules: [],
  };
}

function diffPair(left: ObjectDefinition, right: ObjectDefinition, explain: boolean): ObjectDiff | null {
  const parked = parkedDetail(left, right);
  if (parked.length === 0 && isAlike(left.sql, right.sql, explain)) return null;
  const sides = { left: readSide(left.sql), right: readSide(right.sql) };
  const { differences, rules } = compareSides(sides.left, sides.right);
  const details = [
    ...differences.map(detailOf),
    ...rules.filter(({ rule }) => DRIFT.has(rule)).map(driftOf),
    ...parked,
  ];
  const state = stateOf(details);
  if (state === 'equal' && !explain) return null;
  return {
    kind: left.kind,
    name: left.name,
    state,
    left: sides.left.canonical(),
    right: sides.right.canonical(),
    differences: details,
    rules: explain ? explainedRules(left.sql, right.sql, rules) : [],
  };
}

/** Told without reading them; explained, only of what is written alike to the letter. */
const isAlike = (left: string, right: string, explain: boolean): boolean =>
  left === right || (!explain && isSpeltAlike(left, right));

/** What the structures tell, and before it what differs in the texts themselves. */
function explainedRules(left: string, right: string, rules: readonly AppliedRule[]): ObjectDiff['rules'] {
  const spelling = explainTexts(left, right).map((rule): AppliedRule => ({ rule, subject: '' }));
  return [...spelling, ...rules].filter(isFirst).map(ruleOf);
}

function stateOf(details: ObjectDiff['differences']): ObjectDiff['state'] {
  if (details.length === 0) return 'equal';
  return details.every(({ isDrift }) => isDrift) ? 'drift' : 'different';
}

interface DiffSide {
  readonly sql: string;
  /** Null where the text is beyond our reader: then the texts themselves are compared. */
  readonly statement: DdlStatement | null;
  readonly canonical: () => string;
}

function readSide(sql: string): DiffSide {
  const parsed = parseDdl(sql);
  const statement = parsed.ok ? parsed.value : null;
  let text: string | null = null;
  return {
    sql,
    statement,
    canonical: () => (text ??= statement === null ? sql : canonicalStatement(statement)),
  };
}

function compareSides(left: DiffSide, right: DiffSide): Pick<Comparison, 'differences' | 'rules'> {
  const compared =
    left.statement === null || right.statement === null
      ? undefined
      : compareDefinitions(left.statement, right.statement);
  if (compared !== undefined) return compared;
  const isSame = left.sql === right.sql;
  return {
    differences: isSame ? [] : [{ kind: 'body', subject: '', left: left.sql, right: right.sql }],
    rules: [],
  };
}

const detailOf = ({ kind, subject, left, right }: Difference): ObjectDiff['differences'][number] => ({
  kind,
  subject,
  left: left ?? null,
  right: right ?? null,
  isDrift: DRIFT.has(kind),
});

const driftOf = ({ rule, subject }: AppliedRule): ObjectDiff['differences'][number] => ({
  kind: rule,
  subject,
  left: null,
  right: null,
  isDrift: true,
});

function parkedDetail(left: ObjectDefinition, right: ObjectDefinition): ObjectDiff['differences'] {
  if (left.isParked === right.isParked) return [];
  const words = ({ isParked }: ObjectDefinition): string => (isParked ? 'parked' : 'in the file');
  return [{ kind: 'parked', subject: '', left: words(left), right: words(right), isDrift: false }];
}

const ruleOf = ({ rule, subject }: AppliedRule): ObjectDiff['rules'][number] => ({
  rule,
  subject,
  words: RULE_WORDS[rule],
});

const isFirst = (applied: AppliedRule, at: number, all: readonly AppliedRule[]): boolean =>
  all.findIndex(({ rule, subject }) => rule === applied.rule && subject === applied.subject) === at;

function normalised(sql: string): string {
  return readSide(sql).canonical();
}
