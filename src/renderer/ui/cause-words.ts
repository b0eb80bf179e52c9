import type { BlockCause } from '#shared/model/vocabulary.ts';

/** Why a batch is refused, in two or three words, as a table's cell and a filter say it. */
export const CAUSE_WORDS: Readonly<Record<BlockCause, string>> = {
  divergentDefinition: 'divergent definition',
  columnType: 'other column type',
  nameCollision: 'name is taken',
  rowsBreakConstraint: 'rows break a constraint',
  clockAhead: 'clock ahead',
  refusedStatement: 'refused statement',
  heldLimit: 'held limit reached',
  storage: 'cannot be written',
  tooOld: 'too old',
  epochChanged: 'epoch changed',
  duplicateSite: 'same site ID twice',
};
