import type { Lexeme } from '../canonical/lexeme.ts';
import { readLexemes } from '../canonical-expression.ts';
import type { ComparisonRule } from '../comparison.ts';
import { isSameName } from '../fold-identifier.ts';
import { scanTokens } from '../scan-tokens.ts';
import type { Token, TokenKind } from '../token.ts';
import { unquoteIdentifier } from '../unquote-identifier.ts';
import { textsOf } from './explain-texts.ts';

/** Names the rules by which two texts of SQL that are comparable as equal come to be equal; none if they are one text. */
export function explainSpelling(left: string, right: string): readonly ComparisonRule[] {
  if (left === right) return [];
  const [leftTokens, rightTokens] = [scanTokens(left), scanTokens(right)];
  const rules = new Set<ComparisonRule>();
  const differsIn = (kind: TokenKind): boolean => textsOf(leftTokens, kind) !== textsOf(rightTokens, kind);
  if (differsIn('space')) rules.add('whiteSpace');
  if (differsIn('comment')) rules.add('comments');
  if (countOf(leftTokens, '(') !== countOf(rightTokens, '(')) rules.add('parentheses');

  const rightLexemes = readLexemes(right);
  for (const [at, lexeme] of readLexemes(left).entries()) {
    const rule = explainLexeme(lexeme, rightLexemes[at]);
    if (rule !== undefined) rules.add(rule);
  }
  return [...rules];
}

function explainLexeme(left: Lexeme, right: Lexeme | undefined): ComparisonRule | undefined {
  if (right === undefined || left.source === right.source) return undefined;
  switch (left.kind) {
    case 'operator':
      return 'operatorSynonym';
    case 'literal':
      return 'literalSpelling';
    case 'keyword':
      return isSameName(left.source, right.source) ? 'keywordCase' : 'operatorSynonym';
    default:
      return differInName(left, right) ? 'identifierCase' : 'quoting';
  }
}

function differInName(left: Lexeme, right: Lexeme): boolean {
  return unquoteIdentifier(left.source) !== unquoteIdentifier(right.source);
}

function countOf(tokens: readonly Token[], text: string): number {
  return tokens.filter((token) => token.text === text).length;
}
