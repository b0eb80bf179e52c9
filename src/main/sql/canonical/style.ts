import { canonicalExpression } from '../canonical-expression.ts';
import { quoteIdentifier } from '../quote-identifier.ts';
import { renderName } from '../render-name.ts';

/** How names, and texts of which SQLite remembers the spelling, are written. */
export interface Style {
  readonly nameOf: (name: string) => string;
  readonly selectOf: (select: string) => string;
}

/** For people: names quoted where they must be, everything in its canonical spelling. */
export const READABLE: Style = { nameOf: renderName, selectOf: canonicalExpression };

/**
 * For SQLite: every name of the frame quoted, so that a later SQLite with a new keyword still reads it; selects as they
 * were written, since SQLite names a column without AS after the very text of its expression.
 */
export const EXECUTABLE: Style = { nameOf: quoteIdentifier, selectOf: (select) => select };
