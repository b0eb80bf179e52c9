import type { Lexeme } from './lexeme.ts';
import { endsOperandAt, EQUALITY, precedenceAt } from './precedence.ts';

/** What the words around a token make of it; one entry for each lexeme. */
export interface Structure {
  /** How tightly it binds; the AND of a BETWEEN as the BETWEEN does. */
  readonly bindings: readonly number[];
  /** Whether a parenthesis or a CASE starts or ends with it. */
  readonly brackets: readonly ('opens' | 'closes' | undefined)[];
  /** Whether it opens a row, as in `values (1), (2)`. */
  readonly rows: readonly boolean[];
}

/** Reads once from left to right what single lexemes do not tell. */
export function readStructure(lexemes: readonly Lexeme[]): Structure {
  const bindings: number[] = [];
  const brackets: ('opens' | 'closes' | undefined)[] = [];
  const rows: boolean[] = [];
  const levels: Level[] = [];
  let level = emptyLevel('');

  for (const [at, lexeme] of lexemes.entries()) {
    const bracket = bracketOf(lexemes, at, level);
    brackets.push(bracket);
    rows.push(bracket === 'opens' && level.isValues);
    const isPartOfBetween = isKeyword(lexeme, 'AND') && level.betweens > 0;
    bindings.push(isPartOfBetween ? EQUALITY : precedenceAt(lexemes, at));
    if (bracket === 'closes') level = levels.pop() ?? level;
    else level = readOn(level, lexeme);
    if (bracket === 'opens') {
      levels.push(level);
      level = emptyLevel(lexeme.text);
    }
  }
  return { bindings, brackets, rows };
}

interface Level {
  /** '(' or CASE; '' outside of all. */
  readonly opener: string;
  /** How many BETWEEN still wait for their AND. */
  readonly betweens: number;
  /** Whether nothing but rows has come since VALUES. */
  readonly isValues: boolean;
}

function emptyLevel(opener: string): Level {
  return { opener, betweens: 0, isValues: false };
}

function readOn(level: Level, lexeme: Lexeme): Level {
  const { betweens, isValues } = level;
  const isSeparator = isOperator(lexeme, ',') || isOperator(lexeme, '(');
  const taken = Number(isKeyword(lexeme, 'AND') && betweens > 0);
  return {
    ...level,
    betweens: betweens + Number(isKeyword(lexeme, 'BETWEEN')) - taken,
    isValues: isKeyword(lexeme, 'VALUES') || (isValues && isSeparator),
  };
}

function bracketOf(
  lexemes: readonly Lexeme[],
  at: number,
  { opener }: Level,
): 'opens' | 'closes' | undefined {
  const lexeme = lexemes[at];
  if (isOperator(lexeme, '(') || isKeyword(lexeme, 'CASE')) return 'opens';
  if (isOperator(lexeme, ')')) return opener === '(' ? 'closes' : undefined;
  // Outside of a CASE, or where an operand must begin, END is a name.
  const isEnd = lexeme?.kind === 'softWord' && lexeme.text === 'END';
  return isEnd && opener === 'CASE' && endsOperandAt(lexemes, at - 1) ? 'closes' : undefined;
}

function isOperator(lexeme: Lexeme | undefined, operator: string): boolean {
  return lexeme?.kind === 'operator' && lexeme.text === operator;
}

function isKeyword(lexeme: Lexeme | undefined, word: string): boolean {
  return lexeme?.kind === 'keyword' && lexeme.text === word;
}
