import type { ComparisonRule } from '../sql/comparison.ts';

/** Why a difference in writing counts for nothing, as `--explain` says it. */
export const RULE_WORDS: Readonly<Record<ComparisonRule, string>> = {
  whiteSpace: 'white space between tokens does not count',
  comments: 'comments do not count',
  keywordCase: 'keywords mean the same in any case',
  identifierCase: 'names that differ only in the case of A to Z are one name',
  quoting: 'a name is the same name however it is quoted',
  parentheses: 'parentheses that change nothing do not count',
  operatorSynonym: 'an operator means the same under each of its spellings',
  literalSpelling: 'a literal means the same under each of its spellings',
  columnOrder: 'the order of columns is drift: harmless, and left as it is on each side',
  constraintOrder: 'the order of constraints does not count',
  keyColumnOrder: 'a unique key forbids the same whatever the order of its columns',
  placement: 'a constraint on a column is the same as one on the table',
  constraintName: 'a constraint with a name is the same as one without',
  defaultSpelling: 'a default is the same under each of its spellings',
  typeSpelling: 'a type is the same under each of its spellings',
  impliedNotNull: 'NOT NULL is implied by the key, said or not',
  impliedCollation: 'COLLATE BINARY is what a column has anyhow',
  impliedParentKey: 'REFERENCES without columns means the key of the parent',
  redundantConstraint: 'a constraint that another one implies adds nothing',
  noEffect: 'SQLite reads the clause and does the same without it',
};
