import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { foldIdentifier, isSameName } from '#main/sql/fold-identifier.ts';
import { isBookkeepingName } from '#main/sql/is-bookkeeping-name.ts';
import { isInternalName } from '#main/sql/is-internal-name.ts';
import { isKeyword, isReservedWord } from '#main/sql/keywords.ts';
import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { quoteString } from '#main/sql/quote-string.ts';
import { renderName } from '#main/sql/render-name.ts';
import { unquoteIdentifier } from '#main/sql/unquote-identifier.ts';

const anyName = fc.string({
  unit: fc.constantFrom(...Array.from('aZ_0 "`[\'].;-é🎵')),
  minLength: 1,
  maxLength: 8,
});

test('names fold from A to Z only, so É and é stay two', () => {
  expect(foldIdentifier('OrderÉİ')).toBe('orderÉİ');
  expect(isSameName('Order', 'oRDER')).toBe(true);
  expect(isSameName('É', 'é')).toBe(false);
});

test('C056: what is quoted is read back as it was', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      expect(unquoteIdentifier(quoteIdentifier(name))).toBe(name);
      expect(unquoteIdentifier(quoteString(name))).toBe(name);
    }),
  );
});

test.for([
  ['"a""b"', 'a"b'],
  ['[a b]', 'a b'],
  ['`a``b`', 'a`b'],
  ["'a''b'", "a'b"],
  ['plain', 'plain'],
  ['""', ''],
])('unquoteIdentifier reads %s', ([text, name]) => {
  expect(unquoteIdentifier(text ?? '')).toBe(name);
});

test('C056: SQLite takes a quoted name, and a name as people read it, for what it is', () => {
  const scratch = openScratch();
  fc.assert(
    fc.property(anyName, (name) => {
      for (const written of [quoteIdentifier(name), renderName(name)]) {
        scratch.exec(`begin; create table ${written} (${written})`);
        const row = scratch.prepare('select name from sqlite_schema').get();
        const column = scratch.prepare('select name from pragma_table_info(?)').get(name);
        scratch.exec('rollback');
        expect([row, column]).toEqual([{ name }, { name }]);
      }
    }),
    { numRuns: 50 },
  );
});

// The words that SQLite's documentation lists, and those of its fallback list, with some that are none.
const WORDS =
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between by
  cascade case cast check collate column commit conflict constraint create cross current current_date current_time
  current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape
  except exclude exclusive exists explain fail filter first following for foreign from full generated glob group groups
  having if ignore immediate in index indexed initially inner insert instead intersect into is isnull join key last left
  like limit match materialized natural no not nothing notnull null nulls of offset on or order others outer over
  partition plan pragma preceding primary query raise range recursive references regexp reindex release rename replace
  restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction trigger
  unbounded union unique update using vacuum values view virtual when where window with within without
  rowid strict stored true false data type integer text any foo`.split(/\s+/);

test.for(WORDS)('SQLite and we agree whether %s can be a name without quotes', (word) => {
  const scratch = openScratch();
  const create = (): unknown => scratch.exec(`create table t (${word} integer)`);
  if (isReservedWord(word)) expect(create).toThrow();
  else expect(create).not.toThrow();
  expect(renderName(word)).toBe(isKeyword(word) ? `"${word}"` : word);
});

test('bookkeeping and internal names are told by their beginning, whatever their case', () => {
  expect([
    isBookkeepingName('_concord_log'),
    isBookkeepingName('_CONCORD_x'),
    isBookkeepingName('concord_x'),
  ]).toEqual([true, true, false]);
  expect([isInternalName('sqlite_schema'), isInternalName('SQLite_x'), isInternalName('sqlitex')]).toEqual([
    true,
    true,
    false,
  ]);
});

function openScratch(): Database.Database {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  return scratch;
}
