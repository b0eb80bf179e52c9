/** What `compareTables` and its sisters found. */
export interface Comparison {
  readonly equal: boolean;
  /** Empty if and only if `equal`. */
  readonly differences: readonly Difference[];
  /** Why what is written differently was taken as equal; each rule once per subject. */
  readonly rules: readonly AppliedRule[];
}

export interface Difference {
  readonly kind: DifferenceKind;
  /** The column, the constraint's name or its columns; '' when the whole object is meant. */
  readonly subject: string;
  /** Canonical text, or absent where this side does not have it. */
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** In the order in which differences are listed. */
export const DIFFERENCE_KINDS = [
  'name',
  'column',
  'type',
  'notNull',
  'default',
  'collation',
  'generated',
  'primaryKey',
  'unique',
  'check',
  'foreignKey',
  'constraintName',
  'strict',
  'withoutRowid',
  'table',
  'part',
  'where',
  'columns',
  'select',
  'time',
  'event',
  'when',
  'body',
] as const;

export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface AppliedRule {
  readonly rule: ComparisonRule;
  readonly subject: string;
}

export type ComparisonRule =
  /** White space between tokens does not count. */
  | 'whiteSpace'
  | 'comments'
  | 'keywordCase'
  /** Names are equal when they differ in the case of A to Z only. */
  | 'identifierCase'
  /** "a", [a], `a` and a are one name. */
  | 'quoting'
  | 'parentheses'
  /** `!=` is `<>`, `==` is `=`, ISNULL is IS NULL. */
  | 'operatorSynonym'
  /** 1E3 and 1e3, 1_000 and 1000, X'AB' and x'ab'. */
  | 'literalSpelling'
  | 'columnOrder'
  | 'constraintOrder'
  /** `UNIQUE (a, b)` forbids what `UNIQUE (b, a)` forbids. */
  | 'keyColumnOrder'
  /** A constraint on a column is the same as one on the table. */
  | 'placement'
  /** A constraint with a name is the same as one without. */
  | 'constraintName'
  /** 'x' and "x", +7 and 7, TRUE and 1 are one default; none and NULL too. */
  | 'defaultSpelling'
  | 'typeSpelling'
  /** The key of a STRICT or WITHOUT ROWID table is NOT NULL, said or not; a rowid never is NULL. */
  | 'impliedNotNull'
  /** COLLATE BINARY is what a column has anyhow. */
  | 'impliedCollation'
  /** Without columns, REFERENCES means the parent's key, whichever that is. */
  | 'impliedParentKey'
  /** A UNIQUE over exactly the primary key, or any constraint said twice. */
  | 'redundantConstraint'
  /** SQLite reads the clause and does as without it: MATCH, NO ACTION, ON CONFLICT ABORT, NOT DEFERRABLE, ASC, BEFORE. */
  | 'noEffect';
