import type { HeldReason } from '#shared/model/vocabulary.ts';

/** Why a change is held, in a few words. */
export const HELD_REASON_WORDS: Readonly<Record<HeldReason, string>> = {
  unknownTable: 'the table is not here yet',
  unknownColumn: 'the column is not here yet',
  droppedTable: 'the table was dropped here',
  uniqueCollision: 'another row has its unique key',
  notNull: 'a value is demanded that it has not',
  refusedValue: 'the table here refuses a value of it',
  setAside: 'set aside by a person',
};
