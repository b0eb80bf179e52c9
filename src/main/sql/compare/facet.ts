import type { AppliedRule, ComparisonRule, Difference, DifferenceKind } from '../comparison.ts';
import { foldIdentifier } from '../fold-identifier.ts';
import { explainSpelling } from './explain-spelling.ts';

/** One thing that a definition says, in a form that can be set against what another definition says. */
export interface Facet {
  readonly kind: DifferenceKind;
  /** Facets of one kind and key speak of the same thing. */
  readonly key: string;
  /** Equal exactly when both say the same. */
  readonly value: string;
  /** For people: what it is about, and what it says; the latter is written only when it is asked for. */
  readonly subject: string;
  readonly text: () => string;
  /** What was written, where its spelling may be worth a rule. */
  readonly source?: string | undefined;
  /** Which rule a different spelling falls under; without it the tokens tell. */
  readonly spelling?: ComparisonRule | undefined;
  readonly constraintName?: string | undefined;
  readonly level?: 'column' | 'table' | undefined;
  /** Folded name of the column that has it: not compared where the other side lacks the column. */
  readonly column?: string | undefined;
  /** Columns of the parent key; '' leaves them to the parent and goes with any. */
  readonly parentKey?: string | undefined;
}

export interface Description {
  readonly facets: readonly Facet[];
  /** What was left out of the facets since it changes nothing; named as a rule where only one side wrote it. */
  readonly remarks: readonly AppliedRule[];
}

export interface FacetComparison {
  readonly differences: readonly Difference[];
  readonly rules: readonly AppliedRule[];
}

/** A facet that is nothing but a name. */
export function describeName(kind: DifferenceKind, name: string): Facet {
  const value = foldIdentifier(name);
  return { kind, key: '', value, subject: '', text: () => name, source: name, spelling: 'identifierCase' };
}

/** Sets two descriptions against each other, facet by facet. Swapping them swaps left and right and nothing else. */
export function compareDescriptions(left: Description, right: Description): FacetComparison {
  const groups = groupFacets(comparable(left, right), comparable(right, left));
  const outcomes = [...groups.values()].map(compareGroup);
  return {
    differences: outcomes.flatMap(({ differences }) => differences),
    rules: [...outcomes.flatMap(({ rules }) => rules), ...oneSided(left.remarks, right.remarks)],
  };
}

interface Group {
  readonly left: readonly Facet[];
  readonly right: readonly Facet[];
}

function comparable(side: Description, other: Description): readonly Facet[] {
  const columns = new Set(other.facets.filter(({ kind }) => kind === 'column').map(({ key }) => key));
  return side.facets.filter(({ column }) => column === undefined || columns.has(column));
}

function groupFacets(left: readonly Facet[], right: readonly Facet[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  const groupOf = (facet: Facet): Group => groups.get(groupKey(facet)) ?? { left: [], right: [] };
  for (const facet of left) {
    const group = groupOf(facet);
    groups.set(groupKey(facet), { ...group, left: [...group.left, facet] });
  }
  for (const facet of right) {
    const group = groupOf(facet);
    groups.set(groupKey(facet), { ...group, right: [...group.right, facet] });
  }
  return groups;
}

function groupKey({ kind, key }: Facet): string {
  return `${kind} ${key}`;
}

function compareGroup(group: Group): FacetComparison {
  const [left, right] = [group.left[0], group.right[0]];
  const isPair = group.left.length === 1 && group.right.length === 1;
  // As the search below would find, for the many facets that are alike.
  if (isPair && left !== undefined && right !== undefined && isClosest(left, right))
    return { differences: compareNames(left, right), rules: explainPair(left, right) };
  const matches: (readonly [Facet, Facet])[] = [];
  let rest: Group = { left: group.left.toSorted(byName), right: group.right.toSorted(byName) };
  for (const isMatch of MATCHES) {
    const { matched, left, right } = matchUp(rest, isMatch);
    matches.push(...matched);
    rest = { left, right };
  }
  return {
    differences: [...matches.flatMap((pair) => compareNames(...pair)), ...pairUp(rest)],
    rules: matches.flatMap((pair) => explainPair(...pair)),
  };
}

type Match = (left: Facet, right: Facet) => boolean;

function isClosest(left: Facet, right: Facet): boolean {
  return (
    isSameValue(left, right) && left.parentKey === right.parentKey && foldedName(left) === foldedName(right)
  );
}

/** From the closest to the loosest, so that what is alike in everything finds itself first. */
const MATCHES: readonly Match[] = [
  isClosest,
  (left, right) => isSameValue(left, right) && left.parentKey === right.parentKey,
  (left, right) => isSameValue(left, right) && (left.parentKey === '' || right.parentKey === ''),
];

function matchUp(
  group: Group,
  isMatch: Match,
): Group & { readonly matched: readonly (readonly [Facet, Facet])[] } {
  const matched: (readonly [Facet, Facet])[] = [];
  const right = [...group.right];
  const left = group.left.filter((facet) => {
    const at = right.findIndex((other) => isMatch(facet, other));
    const partner = right[at];
    if (partner === undefined) return true;
    right.splice(at, 1);
    matched.push([facet, partner]);
    return false;
  });
  return { matched, left, right };
}

function isSameValue(left: Facet, right: Facet): boolean {
  return left.value === right.value;
}

function byName(left: Facet, right: Facet): number {
  const [leftName, rightName] = [foldedName(left) ?? '', foldedName(right) ?? ''];
  if (leftName !== rightName) return leftName < rightName ? -1 : 1;
  return left.value < right.value ? -1 : Number(left.value > right.value);
}

function compareNames(left: Facet, right: Facet): readonly Difference[] {
  const [leftName, rightName] = [foldedName(left), foldedName(right)];
  if (leftName === rightName || leftName === undefined || rightName === undefined) return [];
  const { subject } = left;
  return [{ kind: 'constraintName', subject, left: left.constraintName, right: right.constraintName }];
}

function foldedName({ constraintName }: Facet): string | undefined {
  return constraintName === undefined ? undefined : foldIdentifier(constraintName);
}

/** Lays what is left on both sides beside each other: of one name first, then in order. */
function pairUp(group: Group): readonly Difference[] {
  const ofOneName = matchUp(
    group,
    (left, right) => left.constraintName !== undefined && foldedName(left) === foldedName(right),
  );
  const inOrder = matchUp(ofOneName, () => true);
  return [
    ...[...ofOneName.matched, ...inOrder.matched].map(([left, right]) => toDifference(left, left, right)),
    ...inOrder.left.map((facet) => toDifference(facet, facet, undefined)),
    ...inOrder.right.map((facet) => toDifference(facet, undefined, facet)),
  ];
}

function toDifference(
  { kind, subject }: Facet,
  left: Facet | undefined,
  right: Facet | undefined,
): Difference {
  return { kind, subject, left: left?.text(), right: right?.text() };
}

function explainPair(left: Facet, right: Facet): readonly AppliedRule[] {
  const subject = sharedSubject(left, right);
  const rules: ComparisonRule[] = [];
  if (left.source !== undefined && right.source !== undefined && left.source !== right.source) {
    rules.push(
      ...(left.spelling === undefined ? explainSpelling(left.source, right.source) : [left.spelling]),
    );
  }
  if (left.level !== right.level) rules.push('placement');
  if (left.parentKey !== right.parentKey) rules.push('impliedParentKey');
  if ((left.constraintName === undefined) !== (right.constraintName === undefined))
    rules.push('constraintName');
  return rules.map((rule) => ({ rule, subject }));
}

/** The constraint's name where one side gives one; the same whichever side is left. */
function sharedSubject(left: Facet, right: Facet): string {
  if (left.constraintName === undefined && right.constraintName !== undefined) return right.subject;
  if (right.constraintName === undefined && left.constraintName !== undefined) return left.subject;
  return left.subject < right.subject ? left.subject : right.subject;
}

function oneSided(left: readonly AppliedRule[], right: readonly AppliedRule[]): readonly AppliedRule[] {
  const isIn = (list: readonly AppliedRule[], { rule, subject }: AppliedRule): boolean =>
    list.some((other) => other.rule === rule && foldIdentifier(other.subject) === foldIdentifier(subject));
  return [...left.filter((remark) => !isIn(right, remark)), ...right.filter((remark) => !isIn(left, remark))];
}
