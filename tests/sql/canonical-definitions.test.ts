import { expect, test } from 'vitest';

import { canonicalIndex } from '#main/sql/canonical-index.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { canonicalTrigger } from '#main/sql/canonical-trigger.ts';
import { canonicalView } from '#main/sql/canonical-view.ts';
import { comparableTrigger, compareTriggers } from '#main/sql/compare-triggers.ts';
import { comparableView, compareViews } from '#main/sql/compare-views.ts';
import { renderCreateTable } from '#main/sql/render-create-table.ts';
import { anIndex, aTable, aTrigger, aView } from './support.ts';

const table =
  aTable(`create table "order" (id integer primary key autoincrement, "group" varchar( 20 ) not null
  default ( 1+2 ) collate nocase check ((id) > 0 and ("group"!='x')), /* parent */ c int references p(x) on delete set null
  deferrable initially deferred, "a b" as (c * 2) stored, unique("group" collate nocase desc, c) on conflict ignore
  constraint "check it" check(c isnull), foreign key (c, "a b") references "Q q" match full) without rowid, strict;`);

test('C056: canonicalTable lays a table out for people', () => {
  expect(canonicalTable(table)).toBe(`CREATE TABLE "order" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "group" VARCHAR(20) NOT NULL DEFAULT (1 + 2) COLLATE nocase CHECK (id > 0 AND "group" <> 'x'),
  c INT REFERENCES p (x) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  "a b" GENERATED ALWAYS AS (c * 2) STORED,
  UNIQUE ("group" COLLATE nocase DESC, c) ON CONFLICT IGNORE,
  CONSTRAINT "check it" CHECK (c IS NULL),
  FOREIGN KEY (c, "a b") REFERENCES "Q q" MATCH FULL
) STRICT, WITHOUT ROWID`);
});

test('renderCreateTable quotes every name of the frame and takes another name', () => {
  expect(renderCreateTable(aTable('create table t (a text references p (x))'), { name: 'u' })).toBe(
    'CREATE TABLE "u" (\n  "a" TEXT REFERENCES "p" ("x")\n)',
  );
});

test('canonicalIndex writes an index on one line', () => {
  const index = anIndex(
    'create unique index if not exists main.i on t(a collate nocase desc, (lower(b))) where (c) > 0',
  );
  expect(canonicalIndex(index)).toBe(
    'CREATE UNIQUE INDEX i ON t (a COLLATE nocase DESC, lower(b)) WHERE c > 0',
  );
});

test('canonicalView and comparableView', () => {
  const view = aView('create view v(x, "y z") as select a, (b) from t where (a) = 1');
  expect(canonicalView(view)).toBe('CREATE VIEW v (x, "y z") AS\n  SELECT a, b FROM t WHERE a = 1');
  const other = aView('CREATE VIEW V (X, [y z]) AS SELECT A, (b) FROM t WHERE a == 1');
  expect(compareViews(view, other).equal).toBe(true);
  expect(comparableView(view)).toBe(comparableView(other));
});

test('canonicalTrigger and comparableTrigger', () => {
  const trigger = aTrigger(`create trigger g update of b, a on t for each row when (new.a) is not old.a
    begin update t set a = ('x') where (id = new.id); select raise(abort, 'no'); end`);
  expect(canonicalTrigger(trigger)).toBe(`CREATE TRIGGER g BEFORE UPDATE OF b, a ON t
  WHEN new.a IS NOT old.a
BEGIN
  UPDATE t SET a = 'x' WHERE id = new.id;
  SELECT RAISE(abort, 'no');
END`);
  const other = aTrigger(canonicalTrigger({ ...trigger, name: 'G', columns: ['A', 'B'] }));
  expect(compareTriggers(trigger, other).equal).toBe(true);
  expect(comparableTrigger(trigger)).toBe(comparableTrigger(other));
});
