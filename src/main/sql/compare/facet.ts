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
  /** For people: what it is about, and what it says. */
  readonly subject: string;
  readonly text: string;
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
  return { kind, key: '', value, subject: '', text: name, source: name, spelling: 'identifierCase' };
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

function compareGroup({ left, right }: Group): FacetComparison {
  const differences: Difference[] = [];
  const rules: AppliedRule[] = [];
  const unmatched = [...right];
  const lonely: Facet[] = [];
  for (const facet of left) {
    const at = bestMatch(facet, unmatched);
    const partner = unmatched[at];
    if (partner === undefined) {
      lonely.push(facet);
      continue;
    }
    unmatched.splice(at, 1);
    differences.push(...compareNames(facet, partner));
    rules.push(...explainPair(facet, partner));
  }
  return { differences: [...differences, ...pairUp(lonely, unmatched)], rules };
}

/** An equal facet, the one with the same constraint name if there are several. */
function bestMatch(facet: Facet, candidates: readonly Facet[]): number {
  const isSame = (other: Facet): boolean => isEqualFacet(facet, other);
  const named = candidates.findIndex((other) => isSame(other) && foldedName(other) === foldedName(facet));
  return named >= 0 ? named : candidates.findIndex(isSame);
}

function isEqualFacet(left: Facet, right: Facet): boolean {
  if (left.value !== right.value) return false;
  return left.parentKey === right.parentKey || left.parentKey === '' || right.parentKey === '';
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

/** Lays what is left on both sides beside each other, by name where names tell, else in order. */
function pairUp(left: readonly Facet[], right: readonly Facet[]): readonly Difference[] {
  const rest = [...right];
  const pairs = left.map((facet) => {
    const byName = rest.findIndex(
      (other) => other.constraintName !== undefined && foldedName(other) === foldedName(facet),
    );
    return [facet, rest.splice(Math.max(byName, 0), 1)[0]] as const;
  });
  return [
    ...pairs.map(([facet, other]) => toDifference(facet, facet, other)),
    ...rest.map((facet) => toDifference(facet, undefined, facet)),
  ];
}

function toDifference(
  { kind, subject }: Facet,
  left: Facet | undefined,
  right: Facet | undefined,
): Difference {
  return { kind, subject, left: left?.text, right: right?.text };
}

function explainPair(left: Facet, right: Facet): readonly AppliedRule[] {
  const { subject } = left;
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

function oneSided(left: readonly AppliedRule[], right: readonly AppliedRule[]): readonly AppliedRule[] {
  const isIn = (list: readonly AppliedRule[], { rule, subject }: AppliedRule): boolean =>
    list.some((other) => other.rule === rule && foldIdentifier(other.subject) === foldIdentifier(subject));
  return [...left.filter((remark) => !isIn(right, remark)), ...right.filter((remark) => !isIn(left, remark))];
}
