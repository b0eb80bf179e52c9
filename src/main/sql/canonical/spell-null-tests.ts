import type { Lexeme } from './lexeme.ts';
import { endsOperand } from './precedence.ts';

/** Writes `x isnull`, `x notnull` and `x not null` as `x IS NULL` and `x IS NOT NULL`. */
export function spellNullTests(lexemes: readonly Lexeme[]): readonly Lexeme[] {
  return lexemes.flatMap((lexeme, at) => {
    if (lexeme.kind !== 'keyword') return [lexeme];
    if (lexeme.text === 'ISNULL') return [IS, NULL];
    if (lexeme.text === 'NOTNULL') return [IS, NOT, NULL];
    const isTest = lexeme.text === 'NOT' && lexemes[at + 1]?.text === 'NULL' && endsOperand(lexemes[at - 1]);
    return isTest ? [IS, NOT] : [lexeme];
  });
}

const IS = keyword('IS');
const NOT = keyword('NOT');
const NULL = keyword('NULL');

function keyword(text: string): Lexeme {
  return { kind: 'keyword', text, folded: text, source: text };
}
