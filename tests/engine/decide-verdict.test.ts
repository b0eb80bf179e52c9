import { expect, test } from 'vitest';

import type { CatalogFacts } from '#main/engine/migration/catalog-facts.ts';
import { decideVerdict } from '#main/engine/migration/decide-verdict.ts';
import type { VerdictFacts } from '#main/engine/migration/decide-verdict.ts';
import { aKnownMigration } from '../support/migration-builders.ts';

const create = aKnownMigration({ at: 1, site: 1, type: 'create_table' });
const twin = aKnownMigration({ at: 2, site: 2, type: 'create_table' });
const absent: CatalogFacts = {
  type: 'create_table',
  object: 'orders',
  standing: { kind: 'absent' },
  remote: 'theirs',
};

const facts = (parts: Partial<VerdictFacts> = {}): VerdictFacts => ({
  recorded: { arriving: create, history: [], isEqual: () => true },
  isBlank: false,
  readCatalog: () => absent,
  place: { mayWait: false, laterTypeHolds: false },
  ...parts,
});

test('what the record lets through, the catalog decides', () => {
  expect(decideVerdict(facts())).toEqual({ verdict: 'execute', step: { kind: 'run' } });
});

test('what the record knows, the catalog is not asked', () => {
  const readCatalog = () => {
    throw new Error('The catalog was read.');
  };
  const recorded = { arriving: twin, history: [create], isEqual: () => true };
  expect(decideVerdict(facts({ recorded, readCatalog }))).toEqual({
    verdict: 'alreadyApplied',
    by: create.id,
    twinOf: create.id,
  });
});

test('G10 blank DDL is recorded with a warning, and not run', () => {
  expect(decideVerdict(facts({ isBlank: true }))).toEqual({
    verdict: 'convergeWithWarning',
    reason: 'blankDdl',
  });
});

test('G15 a unit that is tried again gets the same verdicts', () => {
  const conflict = facts({
    readCatalog: () => ({ ...absent, standing: { kind: 'sameObject', isEqual: false, local: 'ours' } }),
  });
  expect(decideVerdict(conflict)).toMatchObject({ verdict: 'conflict', left: 'ours', right: 'theirs' });
  expect(decideVerdict(conflict)).toEqual(decideVerdict(conflict));
});

test('a dropped view shows what it hid', () => {
  const hidden = aKnownMigration({ at: 1, site: 1, type: 'create_view' });
  const shown = aKnownMigration({ at: 2, site: 2, type: 'create_view' });
  const drop = aKnownMigration({ at: 3, site: 2, type: 'drop_view' });
  const recorded = { arriving: drop, history: [hidden, shown], isEqual: () => false };
  const readCatalog = (): CatalogFacts => ({ type: 'drop_view', object: 'v', isPresent: true });
  expect(decideVerdict(facts({ recorded, readCatalog }))).toEqual({
    verdict: 'executeAndReveal',
    creation: hidden.id,
  });
});
