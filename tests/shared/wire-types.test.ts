import { expect, test } from 'vitest';
import type { z } from 'zod';

import type {
  ChangeGroup,
  Cursor,
  FactBlock,
  Migration,
  Page,
  PullRequest,
  Redefinition,
  Stamp,
} from '#shared/model/change-group.ts';
import type {
  changeGroupSchema,
  cursorSchema,
  migrationSchema,
  redefinitionSchema,
  stampSchema,
} from '#shared/wire/change-group-schema.ts';
import type { PageMessage, PullMessage } from '#shared/wire/messages.ts';

// The schemas and the types say the same twice, once for the machine and once for people. The compiler compares them.

type Leaf = string | number | bigint | boolean | null | undefined | Uint8Array;
/**
 * The type with `readonly` everywhere, since only the types for people insist on it, and with optional members marked, so
 * that one which is missing on one side is found.
 */
type Frozen<T> = T extends Leaf
  ? T
  : {
      readonly [Key in keyof T]-?: object extends Pick<T, Key>
        ? { readonly optional: Frozen<T[Key]> }
        : Frozen<T[Key]>;
    };

type Equal<Left, Right> = [Frozen<Left>, Frozen<Right>] extends [Frozen<Right>, Frozen<Left>] ? true : false;

const agreements: {
  readonly stamp: Equal<z.infer<typeof stampSchema>, Stamp>;
  readonly cursor: Equal<z.infer<typeof cursorSchema>, Cursor>;
  readonly redefinition: Equal<z.infer<typeof redefinitionSchema>, Redefinition>;
  readonly migration: Equal<z.infer<typeof migrationSchema>, Migration>;
  readonly block: Equal<z.infer<typeof changeGroupSchema>['blocks'][number], FactBlock>;
  readonly group: Equal<z.infer<typeof changeGroupSchema>, ChangeGroup>;
  readonly page: Equal<Omit<PageMessage, 'type'>, Page>;
  readonly pull: Equal<Omit<PullMessage, 'type'>, PullRequest>;
} = {
  stamp: true,
  cursor: true,
  redefinition: true,
  migration: true,
  block: true,
  group: true,
  page: true,
  pull: true,
};

// Red at compile time: a type that differs makes its member false.
test('what the schemas let through has the types of the model', () => {
  expect(Object.values(agreements).every(Boolean)).toBe(true);
});
