import fc from 'fast-check';

import type {
  CheckConstraint,
  ColumnDefinition,
  ForeignKeyConstraint,
  ForeignKeyTarget,
  IndexDefinition,
  KeyColumn,
  PrimaryKeyConstraint,
  TableDefinition,
  UniqueConstraint,
} from '#main/sql/ast.ts';

// Narrow on purpose: few names and few values, so that definitions often meet in something.

const name = fc.constantFrom('a', 'B', 'key', 'x y', 'q"q', '🎵', 'order');
const maybeName = fc.option(fc.constantFrom('n1', 'N 2'), { nil: undefined, freq: 2 });
const conflict = fc.option(fc.constantFrom('abort', 'ignore', 'replace'), { nil: undefined, freq: 1 });
export const type = fc.constantFrom(
  '',
  'INTEGER',
  'int',
  'TEXT',
  'VARCHAR( 20 )',
  '"long text"',
  'DECIMAL(10, -5)',
);
export const collation = fc.option(fc.constantFrom('NOCASE', 'binary', 'rtrim'), { nil: undefined, freq: 1 });
const expression = fc.constantFrom(
  'a > 0',
  '("a")>(0)',
  'a != 0',
  "a <> 'x'",
  'a IS NULL',
  '(a ISNULL)',
  'a + 1',
  "lower(a) = 'y'",
);
export const defaultText = fc.option(
  fc.constantFrom(
    "'x'",
    '"x"',
    '1',
    '+1',
    '-1',
    'NULL',
    'TRUE',
    "(datetime('now'))",
    '(1 + 2)',
    'CURRENT_TIME',
  ),
  { nil: undefined, freq: 1 },
);
const action = fc.option(fc.constantFrom('cascade', 'setNull', 'noAction', 'restrict', 'setDefault'), {
  nil: undefined,
  freq: 1,
});

const target: fc.Arbitrary<ForeignKeyTarget> = fc.record({
  table: fc.constantFrom('p', 'Q q'),
  columns: fc.constantFrom([], ['x']),
  onDelete: action,
  onUpdate: action,
  match: fc.option(fc.constant('full'), { nil: undefined, freq: 1 }),
  deferral: fc.option(
    fc.record({ deferrable: fc.boolean(), initially: fc.constantFrom('deferred', 'immediate', undefined) }),
    { nil: undefined, freq: 1 },
  ),
});

const named = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T & { readonly name: string | undefined }> =>
  fc.tuple(maybeName, arbitrary).map(([ownName, value]) => ({ name: ownName, ...value }));

export const column: fc.Arbitrary<ColumnDefinition> = fc.record({
  name,
  type,
  notNull: fc.option(named(fc.record({ conflict })), { nil: undefined, freq: 1 }),
  uniques: fc.array(named(fc.record({ conflict })), { maxLength: 2 }),
  checks: fc.array(named(fc.record({ expression })), { maxLength: 2 }),
  references: fc.array(named(target), { maxLength: 1 }),
  defaultText,
  collation,
  generated: fc.option(fc.record({ expression, stored: fc.boolean() }), { nil: undefined, freq: 1 }),
});

/** Keys over the given columns; the same column twice is left to SQLite to refuse. */
export const keyColumns = (names: readonly string[]): fc.Arbitrary<readonly KeyColumn[]> =>
  fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((one) => fc.record({ column: fc.constant(one), collation, descending: fc.boolean() })),
      ),
    );

export const constraint = (
  names: readonly string[],
): fc.Arbitrary<UniqueConstraint | CheckConstraint | ForeignKeyConstraint> =>
  fc.oneof(
    named(fc.record({ kind: fc.constant('unique' as const), columns: keyColumns(names), conflict })),
    named(fc.record({ kind: fc.constant('check' as const), expression })),
    named(
      fc.record({
        kind: fc.constant('foreignKey' as const),
        columns: fc.constantFrom(...names).map((one) => [one]),
        target,
      }),
    ),
  );

const primaryKey = (names: readonly string[]): fc.Arbitrary<PrimaryKeyConstraint> =>
  named(
    fc.record({
      kind: fc.constant('primaryKey' as const),
      columns: keyColumns(names),
      autoincrement: fc.boolean(),
      conflict,
    }),
  );

/** Tables whose text is right, though SQLite would refuse some for what they mean. */
export const table: fc.Arbitrary<TableDefinition> = fc
  .uniqueArray(column, { minLength: 1, maxLength: 3, selector: (one) => one.name })
  .chain((columns) => {
    const names = columns.map((one) => one.name);
    return fc.record({
      name: fc.constantFrom('t', 'T', 'my table'),
      columns: fc.constant(columns),
      constraints: fc
        .tuple(
          fc.array(constraint(names), { maxLength: 3 }),
          fc.option(primaryKey(names), { nil: undefined }),
        )
        .map(([some, key]) => (key === undefined ? some : [...some, key])),
      strict: fc.boolean(),
      withoutRowid: fc.boolean(),
    });
  });

export const index: fc.Arbitrary<IndexDefinition> = fc.record({
  name: fc.constantFrom('i', 'I', 'my index'),
  table: fc.constantFrom('t', 'T'),
  unique: fc.boolean(),
  parts: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('column' as const), column: name, collation, descending: fc.boolean() }),
      fc.record({ kind: fc.constant('expression' as const), expression, descending: fc.boolean() }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  where: fc.option(expression, { nil: undefined }),
});
