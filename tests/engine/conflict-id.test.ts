import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { conflictIdOf } from '#main/engine/migration/conflict-id.ts';
import { ConflictId } from '#shared/model/ids.ts';
import { migrationId } from '../support/ids.ts';

// Guards ADMIT-002.

const hash = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());
const cause = 'divergentDefinition' as const;

test('D02 both sides name a conflict alike', () => {
  const here = conflictIdOf({ cause, migrations: [migrationId(1), migrationId(2)] }, hash);
  expect(conflictIdOf({ cause, migrations: [migrationId(2), migrationId(1)] }, hash)).toBe(here);
  expect(ConflictId.safeParse(here).success).toBe(true);
});

test('D02 the name of a conflict is the same in every version of the program', () => {
  expect(conflictIdOf({ cause, migrations: [migrationId(1), migrationId(2)] }, hash)).toBe(
    'mDIcP2I9g7mvC9odEyT26g',
  );
});

test('another cause or another migration is another conflict', () => {
  const migrations = [migrationId(1), migrationId(2)] as const;
  const ids = [
    conflictIdOf({ cause, migrations }, hash),
    conflictIdOf({ cause: 'columnType', migrations }, hash),
    conflictIdOf({ cause, migrations: [migrationId(1), migrationId(3)] }, hash),
  ];
  expect(new Set(ids).size).toBe(3);
});
