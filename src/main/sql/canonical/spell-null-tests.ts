import type { Lexeme } from './lexeme.ts';
import { endsOperandAt, EQUALITY, precedenceAt } from './precedence.ts';

/**
 * Writes `x isnull`, `x notnull` and `x not null` as `x IS NULL` and `x IS NOT NULL`.
 *
 * Not before an operator that binds tighter: `x isnull + 1` adds to the answer, `x is null + 1` compares with a sum.
 */
export function spellNullTests(lexemes: readonly Lexeme[]): readonly Lexeme[] {
  const spelt: Lexeme[] = [];
  for (let at = 0; at < lexemes.length; at += 1) {
    const { length, words } = readNullTest(lexemes, at);
    spelt.push(...words);
    at += length - 1;
  }
  return spelt;
}

interface NullTest {
  /** How many lexemes it is written in. */
  readonly length: number;
  readonly words: readonly Lexeme[];
}

function readNullTest(lexemes: readonly Lexeme[], at: number): NullTest {
  const isAt = (ahead: number, text: string): boolean =>
    lexemes[at + ahead]?.kind === 'keyword' && lexemes[at + ahead]?.text === text;
  const isInTwoWords = isAt(0, 'NOT') && isAt(1, 'NULL') && endsOperandAt(lexemes, at - 1);
  const length = isInTwoWords ? 2 : 1;
  const canBeIs = precedenceAt(lexemes, at + length) <= EQUALITY;
  const source = lexemes
    .slice(at, at + length)
    .map((lexeme) => lexeme.source)
    .join(' ');
  if (isInTwoWords || isAt(0, 'NOTNULL')) {
    return { length, words: canBeIs ? [keyword('IS', source), NOT, NULL] : [keyword('NOTNULL', source)] };
  }
  const words = isAt(0, 'ISNULL') && canBeIs ? [keyword('IS', source), NULL] : lexemes.slice(at, at + 1);
  return { length, words };
}

const NOT = keyword('NOT');
const NULL = keyword('NULL');

function keyword(text: string, source = text): Lexeme {
  return { kind: 'keyword', text, folded: text, source };
}
