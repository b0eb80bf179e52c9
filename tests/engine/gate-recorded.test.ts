import { expect, test } from 'vitest';

import { gateRecorded } from '#main/engine/migration/gate-recorded.ts';
import type { RecordedVerdict } from '#main/engine/migration/gate-recorded.ts';
import type { KnownMigration } from '#main/engine/migration/group-lives.ts';
import type { MigrationId } from '#shared/model/ids.ts';
import { tableId } from '../support/ids.ts';
import { aKnownMigration } from '../support/migration-builders.ts';

// Sites by number: 1 is here, 2 and 3 are elsewhere. Times are small numbers.

interface Case {
  readonly title: string;
  readonly history: readonly KnownMigration[];
  readonly arriving: KnownMigration;
  /** Pairs of creations that differ; all others are equal. */
  readonly different?: readonly (readonly [KnownMigration, KnownMigration])[];
  readonly expected: RecordedVerdict;
}

const create = aKnownMigration({ at: 1, site: 1 });
const twin = aKnownMigration({ at: 2, site: 2 });
const drop = aKnownMigration({ at: 3, site: 1, type: 'drop_index' });
const recreate = aKnownMigration({ at: 4, site: 1 });

const proceed: RecordedVerdict = { verdict: 'proceed', reveals: null };
const supersededBy = (by: KnownMigration, twinOf: KnownMigration | null = null): RecordedVerdict => ({
  verdict: 'superseded',
  by: by.id,
  twinOf: twinOf?.id ?? null,
  ends: [],
});
const appliedBy = (by: KnownMigration, twinOf: KnownMigration | null = null): RecordedVerdict => ({
  verdict: 'alreadyApplied',
  by: by.id,
  twinOf: twinOf?.id ?? null,
});

const redefine = aKnownMigration({ at: 5, site: 1, type: 'redefine_table', unifies: [create.id, twin.id] });
const aTable = aKnownMigration({ at: 1, site: 2, type: 'create_table', subject: tableId(1) });
const otherTable = aKnownMigration({ at: 2, site: 3, type: 'create_table', subject: tableId(2) });
const dropOfTable = aKnownMigration({
  at: 3,
  site: 2,
  type: 'drop_table',
  subject: tableId(1),
  knew: { 3: 2 },
});
const lonelyDrop = aKnownMigration({ at: 3, site: 2, type: 'drop_table', subject: tableId(1) });
const view = aKnownMigration({ at: 1, site: 1, type: 'create_view' });
const laterView = aKnownMigration({ at: 2, site: 2, type: 'create_view' });

const cases: readonly Case[] = [
  {
    title: 'G01 what is recorded already is applied already',
    history: [create],
    arriving: create,
    expected: appliedBy(create),
  },
  { title: 'a first creation proceeds', history: [], arriving: create, expected: proceed },
  {
    title: 'G02 an equal creation elsewhere is one with ours',
    history: [create],
    arriving: twin,
    expected: appliedBy(create, create),
  },
  {
    title: 'G02 an equal view that was made earlier elsewhere is there already, and overtaken by nothing',
    history: [laterView],
    arriving: view,
    expected: appliedBy(laterView, laterView),
  },
  {
    title: 'G02 an equal view that was made later elsewhere is there already',
    history: [view],
    arriving: laterView,
    expected: appliedBy(view, view),
  },
  {
    title: 'G04 another definition proceeds: the catalog has the word',
    history: [create],
    arriving: twin,
    different: [[create, twin]],
    expected: proceed,
  },
  {
    title: 'G05 a later alteration does not part the twins',
    history: [create, aKnownMigration({ at: 3, site: 1, type: 'rename_table' })],
    arriving: twin,
    expected: appliedBy(create, create),
  },
  {
    title: 'the drop of a twin wins over the other creation',
    history: [create, drop],
    arriving: twin,
    expected: supersededBy(drop, create),
  },
  {
    title: 'another definition than what was dropped has a life of its own',
    history: [create, drop],
    arriving: twin,
    different: [[create, twin]],
    expected: proceed,
  },
  {
    title: 'P08 a creation that knew of the drop is a new life',
    history: [create, drop],
    arriving: aKnownMigration({ at: 9, site: 2, knew: { 1: 3 } }),
    expected: proceed,
  },
  {
    title: 'G13 a creation that comes after its own drop is gone',
    history: [aKnownMigration({ at: 9, site: 3, type: 'drop_index', knew: { 2: 2 } })],
    arriving: twin,
    expected: supersededBy(aKnownMigration({ at: 9, site: 3, type: 'drop_index', knew: { 2: 2 } })),
  },
  {
    title: 'a twin of two lives belongs to the older, which was dropped',
    history: [create, drop, recreate],
    arriving: twin,
    expected: supersededBy(drop, create),
  },
  {
    title: 'G01 a drop that is recorded already is applied already',
    history: [create, drop, recreate],
    arriving: drop,
    expected: appliedBy(drop),
  },
  {
    title: 'G06 a drop of what was never recorded proceeds to the catalog',
    history: [],
    arriving: drop,
    expected: proceed,
  },
  {
    title: 'G07 a drop of a life that it knew proceeds',
    history: [create],
    arriving: drop,
    expected: proceed,
  },
  {
    title: 'a drop that knew one twin ends the life of both',
    history: [twin, create],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'drop_index' }),
    expected: proceed,
  },
  {
    title: 'a second drop of one life is applied already',
    history: [create, drop],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'drop_index', knew: { 1: 1 } }),
    expected: appliedBy(drop),
  },
  {
    title: 'P09 an old drop does not touch a new life',
    history: [create, drop, recreate],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'drop_index', knew: { 1: 1 } }),
    expected: appliedBy(drop),
  },
  {
    title: 'P09 a drop of something else of the name does not touch what is here',
    history: [create],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'drop_index' }),
    expected: supersededBy(create),
  },
  {
    title: 'a drop of something else of the name finds nothing to touch',
    history: [create, drop],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'drop_index' }),
    expected: supersededBy(create),
  },
  {
    title: 'D04 a resolution leaves other lives of the name alone',
    history: [create, drop, recreate],
    arriving: aKnownMigration({ at: 9, site: 1, type: 'redefine_table', unifies: [recreate.id, twin.id] }),
    expected: proceed,
  },
  {
    title: 'D03 a drop that knew of another table of the name does not touch it',
    history: [dropOfTable],
    arriving: otherTable,
    expected: proceed,
  },
  {
    title: 'P09 of tables the ID says which life is meant',
    history: [otherTable],
    arriving: dropOfTable,
    expected: supersededBy(otherTable),
  },
  {
    title: 'R05 a table is gone for good once its own drop is recorded',
    history: [dropOfTable],
    arriving: aTable,
    expected: supersededBy(dropOfTable),
  },
  {
    title: 'G13 a twin whose drop came first takes the other with it',
    history: [otherTable, lonelyDrop],
    arriving: aTable,
    expected: { verdict: 'superseded', by: lonelyDrop.id, twinOf: otherTable.id, ends: [otherTable.id] },
  },
  {
    title: 'P03 of two alterations of one register the later holds',
    history: [aKnownMigration({ at: 8, site: 1, type: 'alter_column' })],
    arriving: aKnownMigration({ at: 7, site: 2, type: 'alter_column' }),
    expected: supersededBy(aKnownMigration({ at: 8, site: 1, type: 'alter_column' })),
  },
  {
    title: 'P03 the later alteration proceeds over the earlier',
    history: [aKnownMigration({ at: 7, site: 1, type: 'alter_column' })],
    arriving: aKnownMigration({ at: 8, site: 2, type: 'alter_column' }),
    expected: proceed,
  },
  {
    title: 'P07 alterations of different registers both hold',
    history: [aKnownMigration({ at: 8, site: 1, type: 'rename_column' })],
    arriving: aKnownMigration({ at: 7, site: 2, type: 'alter_column' }),
    expected: proceed,
  },
  {
    title: 'P09 an alteration of an older life does not touch the new one',
    history: [create, drop, recreate],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'rename_table', knew: { 1: 1 } }),
    expected: supersededBy(recreate),
  },
  {
    title: 'P01 an alteration of what was dropped proceeds: the catalog says what is gone',
    history: [create, drop],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'alter_column', knew: { 1: 1 } }),
    expected: proceed,
  },
  {
    title: 'D04 a creation that a resolution answers is settled by it',
    history: [create, redefine],
    arriving: twin,
    different: [[create, twin]],
    expected: supersededBy(redefine, create),
  },
  {
    title: 'D04 the drop of what a resolution made one settles its creations as well',
    history: [create, redefine, aKnownMigration({ at: 6, site: 1, type: 'drop_table' })],
    arriving: twin,
    different: [[create, twin]],
    expected: supersededBy(aKnownMigration({ at: 6, site: 1, type: 'drop_table' }), create),
  },
  {
    title: 'D04 of two resolutions at once the later holds',
    history: [create, twin, redefine],
    arriving: aKnownMigration({
      at: 4,
      site: 2,
      type: 'redefine_table',
      unifies: [create.id, twin.id],
      knew: { 1: 1 },
    }),
    different: [[create, twin]],
    expected: supersededBy(redefine),
  },
  {
    title: 'D04 a resolution proceeds where its tables are',
    history: [create],
    arriving: redefine,
    expected: proceed,
  },
  {
    title: 'D04 a resolution of what was dropped meanwhile ends the other side as well',
    history: [create, twin, drop],
    arriving: aKnownMigration({
      at: 9,
      site: 3,
      type: 'redefine_table',
      unifies: [create.id, twin.id],
      knew: { 1: 1, 2: 2 },
    }),
    different: [[create, twin]],
    expected: { verdict: 'superseded', by: drop.id, twinOf: null, ends: [twin.id] },
  },
  {
    title: 'a later view proceeds over an earlier one',
    history: [view],
    arriving: laterView,
    different: [[view, laterView]],
    expected: proceed,
  },
  {
    title: 'an earlier view gives way to a later one',
    history: [laterView],
    arriving: view,
    different: [[view, laterView]],
    expected: supersededBy(laterView),
  },
  {
    title: 'the drop of the later view shows the earlier one again',
    history: [view, laterView],
    arriving: aKnownMigration({ at: 9, site: 2, type: 'drop_view' }),
    different: [[view, laterView]],
    expected: { verdict: 'proceed', reveals: view.id },
  },
];

const isEqualBut =
  (different: Case['different'] = []) =>
  (left: MigrationId, right: MigrationId): boolean =>
    !different.some((pair) => pair.some(({ id }) => id === left) && pair.some(({ id }) => id === right));

test.for(cases)('$title', ({ history, arriving, different, expected }) => {
  const facts = { arriving, isEqual: isEqualBut(different) };
  expect(gateRecorded({ ...facts, history })).toEqual(expected);
  expect(gateRecorded({ ...facts, history: history.toReversed() })).toEqual(expected);
});
