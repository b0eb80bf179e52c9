import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, syncAll, syncBoth } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const BASE = `CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, n INTEGER); INSERT INTO t VALUES (1, 'one', 1)`;

const { world, a, b } = freshReplicas(['a', 'b']);

const textOf = (replica: TestReplica, name: string): string | null =>
  (replica.rows(`SELECT sql FROM sqlite_schema WHERE name = '${name}'`)[0]?.[0] as string | undefined) ??
  null;

const findingsOf = (replica: TestReplica, kind: string): readonly string[] =>
  replica
    .core()
    .findings()
    .filter((finding) => finding.kind === kind)
    .map(({ detail }) => detail);

const parkedOn = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .catalog()
    .objects.filter(({ isParked }) => isParked)
    .map(({ name }) => name)
    .sort();

const fingerprintOf = (replica: TestReplica): string => replica.core().status().fingerprint;

/** Every program can rename in the file: SQLite looks at all views and triggers for that. */
function expectRenamable(replica: TestReplica): void {
  replica.plain(
    'CREATE TABLE probe (id INTEGER PRIMARY KEY); ALTER TABLE probe RENAME TO probed; DROP TABLE probed',
  );
}

function expectEqual(...replicas: readonly TestReplica[]): void {
  const [first, ...others] = replicas.map(fingerprintOf);
  for (const other of others) expect(other).toBe(first);
  for (const replica of replicas) expect(problemsOf(replica)).toEqual([]);
}

test('SCHEMA-005 a parked view comes back with its column, under the name that this has by then', () => {
  a.exec(`${BASE}; CREATE VIEW tv AS SELECT b FROM t; CREATE VIEW tvv AS SELECT b AS b FROM tv`);
  syncBoth(a, b);
  a.exec('ALTER TABLE t DROP COLUMN b');
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(parkedOn(replica)).toEqual(['tv', 'tvv']);
    expect(findingsOf(replica, 'parked')).toEqual([
      expect.stringContaining('no such column: b'),
      expect.stringContaining('tv'),
    ]);
    expectRenamable(replica);
  }
  expectEqual(a, b);
  b.exec(`ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'back'`);
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(parkedOn(replica)).toEqual([]);
    expect(findingsOf(replica, 'parked')).toEqual([]);
    expect(replica.rows('SELECT * FROM tvv')).toEqual([['back']]);
  }
  expectEqual(a, b);
});

test('another program drops a table, and makes it anew: the view is parked and back', () => {
  a.exec(`${BASE}; CREATE VIEW tv AS SELECT b FROM t`);
  a.plain('DROP TABLE t');
  a.exec('SELECT 1; CREATE TABLE other (id INTEGER PRIMARY KEY)');
  expect(parkedOn(a)).toEqual(['tv']);
  a.plain('CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT)');
  syncBoth(a, b);
  for (const replica of [a, b]) expect(textOf(replica, 'tv')).toMatch(/select b from t/i);
  expectEqual(a, b);
});

test('a parked view can be dropped, and made anew otherwise', () => {
  a.exec(`${BASE}; CREATE VIEW tv AS SELECT b FROM t; CREATE VIEW tw AS SELECT b FROM t`);
  syncBoth(a, b);
  a.exec('ALTER TABLE t DROP COLUMN b');
  a.exec('DROP VIEW tv; CREATE VIEW tw AS SELECT n FROM t');
  expect(a.refused('DROP VIEW tv').message).toMatch(/no such view: tv/);
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(parkedOn(replica)).toEqual([]);
    expect(findingsOf(replica, 'parked')).toEqual([]);
    expect(textOf(replica, 'tw')).toMatch(/select n from t/i);
  }
  a.exec('ALTER TABLE t ADD COLUMN b TEXT');
  syncBoth(a, b);
  expect(textOf(b, 'tv')).toBeNull();
  expectEqual(a, b);
});

test("an application's own broken view stays, goes to nobody, and is named; once it stands it travels", () => {
  const attached = world.attach(
    'attached',
    `${BASE}; CREATE VIEW own AS SELECT gone FROM t; CREATE VIEW fine AS SELECT b FROM t`,
  );
  attached.exec('CREATE TABLE u (id INTEGER PRIMARY KEY, gone TEXT)');
  expect(textOf(attached, 'own')).toBe('CREATE VIEW own AS SELECT gone FROM t');
  expect(findingsOf(attached, 'broken')).toEqual([
    expect.stringMatching(/view own is broken .*no such column: gone/),
  ]);
  b.pull(attached);
  expect(textOf(b, 'own')).toBeNull();
  expect(textOf(b, 'fine')).toMatch(/select b from t/i);
  expect(fingerprintOf(b)).toBe(fingerprintOf(attached));
  attached.exec('ALTER TABLE u RENAME COLUMN gone TO here; ALTER TABLE t ADD COLUMN gone TEXT');
  b.pull(attached);
  expect(findingsOf(attached, 'broken')).toEqual([]);
  expect(textOf(b, 'own')).toMatch(/select gone from t/i);
  expectEqual(attached, b);
});

test('equal views over a column that has another name on each side are one text at rest', () => {
  a.exec(BASE);
  b.pull(a);
  a.exec('ALTER TABLE t RENAME COLUMN b TO body; CREATE VIEW tv AS SELECT body FROM t');
  b.exec('CREATE VIEW tv AS SELECT b FROM t');
  syncBoth(a, b);
  expect(textOf(a, 'tv')).toMatch(/select "?body"? from t/i);
  expect(textOf(b, 'tv')).toMatch(/select "?body"? from t/i);
  expectEqual(a, b);
});

test('a name that two columns had one after the other: views go by the column, not by the name', () => {
  a.exec(BASE);
  b.pull(a);
  // At a the name b is another column by now.
  a.exec('ALTER TABLE t RENAME COLUMN b TO first; ALTER TABLE t RENAME COLUMN n TO b');
  b.exec('CREATE VIEW tv AS SELECT b AS what FROM t');
  b.exec(
    'CREATE TRIGGER tg AFTER UPDATE OF b ON t BEGIN UPDATE t SET n = n + 1 WHERE id = new.id AND old.b <> new.b; END',
  );
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(replica.rows('SELECT what FROM tv')).toEqual([['one']]);
    expect(textOf(replica, 'tg')).toMatch(/OF "?first"? ON .*SET "?b"? = "?b"? \+ 1/is);
  }
  expectEqual(a, b);
});

test('of a replaced view the older one shows again also where it came later, and to those that join in between', () => {
  a.exec(BASE);
  b.pull(a);
  a.exec('CREATE VIEW tv AS SELECT b FROM t');
  world.wait(9);
  b.exec('CREATE VIEW tv AS SELECT n FROM t');
  a.pull(b);
  b.pull(a);
  const c = world.init('c');
  c.pull(b);
  expect(textOf(c, 'tv')).toMatch(/select n/i);
  world.wait(9);
  const d = world.init('d');
  // d has heard of the later view alone when it drops it.
  d.pull(b, {
    disturb: (page) => ({
      ...page,
      groups: page.groups.map((group) => ({
        ...group,
        migrations: group.migrations.filter(({ ddl }) => !/select b/i.test(ddl)),
      })),
    }),
  });
  d.exec('DROP VIEW tv');
  for (const replica of [a, b, c]) replica.pull(d);
  for (const replica of [a, b, c]) expect(textOf(replica, 'tv')).toMatch(/select b from t/i);
  syncAll([a, b, c]);
  expectEqual(a, b, c);
});

test('C047 replicas with and without the full-text table are at rest with equal fingerprints; where it comes later, the trigger does too', () => {
  a.exec(
    `CREATE TABLE ann (id INTEGER PRIMARY KEY, txt TEXT);
     CREATE VIRTUAL TABLE ann_fts USING fts5(txt, content='ann', content_rowid='id');
     CREATE TRIGGER ann_ai AFTER INSERT ON ann BEGIN INSERT INTO ann_fts(rowid, txt) VALUES (new.id, new.txt); END;
     CREATE TRIGGER ann_ad AFTER DELETE ON ann BEGIN INSERT INTO ann_fts(ann_fts, rowid, txt) VALUES ('delete', old.id, old.txt); END;
     INSERT INTO ann VALUES (1, 'hello world')`,
  );
  syncBoth(a, b);
  expect(findingsOf(a, 'localOnly')).toEqual([expect.stringContaining('ann_fts is a virtual table')]);
  expect(findingsOf(b, 'localOnly')).toEqual([]);
  expect(parkedOn(b)).toEqual(['ann_ad', 'ann_ai']);
  expect(findingsOf(b, 'parked')[0]).toMatch(/ann_a. .*no such table: main\.ann_fts/);
  expectEqual(a, b);
  b.exec(`INSERT INTO ann VALUES (2, 'from b')`);
  a.pull(b);
  expect(a.rows(`SELECT rowid FROM ann_fts WHERE ann_fts MATCH 'from'`)).toEqual([[2n]]);
  b.plain(
    `CREATE VIRTUAL TABLE ann_fts USING fts5(txt, content='ann', content_rowid='id'); INSERT INTO ann_fts(ann_fts) VALUES ('rebuild')`,
  );
  a.exec(`INSERT INTO ann VALUES (3, 'third from a'); DELETE FROM ann WHERE id = 1`);
  b.pull(a);
  expect(parkedOn(b)).toEqual([]);
  expect(b.rows(`SELECT rowid FROM ann_fts WHERE ann_fts MATCH 'from'`)).toEqual([[2n], [3n]]);
  expect(b.rows(`SELECT rowid FROM ann_fts WHERE ann_fts MATCH 'hello'`)).toEqual([]);
  expectEqual(a, b);
  b.exec('DROP TABLE ann_fts');
  expect(findingsOf(b, 'localOnly')).toEqual([]);
  expect(parkedOn(b)).toEqual(['ann_ad', 'ann_ai']);
});

test('a trigger that keeps a local index and cannot run is silent for admitted rows, which is a finding', () => {
  const attached = world.attach(
    'attached',
    `CREATE TABLE ann (id INTEGER PRIMARY KEY, txt TEXT); CREATE TABLE heard (x);
     CREATE VIRTUAL TABLE ann_fts USING fts5(txt, content='ann', content_rowid='id');
     CREATE TRIGGER ann_ai AFTER INSERT ON ann BEGIN INSERT INTO ann_fts(rowid, txt) VALUES (new.id, stem(new.txt)); END;
     CREATE TRIGGER ann_au AFTER UPDATE ON ann BEGIN INSERT INTO heard SELECT json_extract(doc, '$.x') FROM conf; END;
     CREATE TABLE conf (doc)`,
  );
  const order = attached.rows(`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'ann%'`);
  b.pull(attached);
  b.exec(`INSERT INTO ann VALUES (1, '{"x": 1}')`);
  attached.pull(b);
  expect(attached.rows('SELECT id FROM ann')).toEqual([[1n]]);
  expect(findingsOf(attached, 'trigger')).toEqual([
    expect.stringMatching(/ann_ai of ann .*no such function: stem/),
  ]);
  // It compiles, and fails for a value.
  attached.exec(`INSERT INTO conf VALUES ('no json')`);
  b.exec(`UPDATE ann SET txt = 'other' WHERE id = 1`);
  attached.pull(b);
  expect(attached.rows('SELECT txt FROM ann')).toEqual([['other']]);
  expect(findingsOf(attached, 'trigger')).toEqual([
    expect.stringMatching(/ann_ai/),
    expect.stringMatching(/ann_au of ann .*malformed JSON/),
  ]);
  expect(attached.rows(`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'ann%'`)).toEqual(
    order,
  );
  expect(problemsOf(attached)).toEqual([]);
});

test('a local log whose own trigger writes to a table that replicates is none: its trigger is silent', () => {
  a.exec(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT); CREATE TABLE sum (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO sum VALUES (1, 0);
     CREATE TABLE heard (x); CREATE TRIGGER t_ai AFTER INSERT ON t BEGIN INSERT INTO heard VALUES (new.b); END;
     CREATE TRIGGER heard_ai AFTER INSERT ON heard BEGIN UPDATE sum SET n = n + 1; END`,
  );
  b.pull(a);
  a.exec(`INSERT INTO t VALUES (1, 'x')`);
  syncBoth(a, b);
  for (const replica of [a, b]) expect(replica.rows('SELECT n FROM sum')).toEqual([[1n]]);
  expect(b.rows('SELECT * FROM heard')).toEqual([]);
  expectEqual(a, b);
});

test('C049 what lacks a function here is named and does no harm: other tables flow, renames work, admitted rows land', () => {
  const attached = world.attach(
    'attached',
    `CREATE TABLE bk (id INTEGER PRIMARY KEY, title TEXT, sort TEXT); CREATE TABLE other (id INTEGER PRIMARY KEY, v TEXT);
     CREATE TRIGGER bk_ai AFTER INSERT ON bk BEGIN UPDATE bk SET sort = title_sort(new.title) WHERE id = new.id; END;
     CREATE VIEW bv AS SELECT title_sort(title) AS s FROM bk`,
  );
  attached.exec(`INSERT INTO other VALUES (1, 'x')`);
  expect(attached.refused(`INSERT INTO bk VALUES (1, 'a', NULL)`).message).toMatch(/title_sort/);
  b.pull(attached);
  expect(b.rows('SELECT v FROM other')).toEqual([['x']]);
  expect(textOf(b, 'bk_ai')).toMatch(/title_sort/);
  const c = world.init('c');
  c.exec('CREATE TABLE bk (id INTEGER PRIMARY KEY, title TEXT, sort TEXT)');
  c.exec(`INSERT INTO bk VALUES (2, 'b', NULL)`);
  b.pull(c);
  expect(b.rows('SELECT id FROM bk')).toEqual([[2n]]);
  b.exec('ALTER TABLE bk RENAME COLUMN title TO name; ALTER TABLE bk RENAME TO book');
  attached.pull(b);
  for (const replica of [attached, b]) {
    expect(textOf(replica, 'bv')).toMatch(/title_sort\("?name"?\).*"?book"?/is);
    expect(textOf(replica, 'bk_ai')).toMatch(/title_sort\(new\."?name"?\)/i);
    expect(parkedOn(replica)).toEqual([]);
  }
  expectEqual(attached, b);
});

test('C056 names of every kind in views and triggers', () => {
  a.exec(
    `CREATE TABLE "order" ("group" INTEGER PRIMARY KEY, "select" TEXT, "a""b" TEXT, [x y] TEXT, \`q'q\` TEXT, "naïve 🎵" TEXT);
     CREATE VIEW "v/iew" AS SELECT "naïve 🎵" AS "from" FROM "order";
     CREATE TRIGGER "t-1" AFTER UPDATE OF "x y" ON "order" BEGIN UPDATE "order" SET "select" = '--;' WHERE "group" = NEW."group"; END;
     INSERT INTO "order" VALUES (1, 's', 'ab', 'xy', 'q', 'e')`,
  );
  syncBoth(a, b);
  a.exec(
    `ALTER TABLE "order" RENAME COLUMN "x y" TO "table"; ALTER TABLE "order" RENAME TO "fm.teal.""play"`,
  );
  syncBoth(a, b);
  expect(b.rows('SELECT "from" FROM "v/iew"')).toEqual([['e']]);
  expect(textOf(b, 't-1')).toMatch(/OF "table" ON "fm\.teal\.""play"/);
  b.exec(`UPDATE "fm.teal.""play" SET "table" = 'new'`);
  expect(b.rows('SELECT "select" FROM "fm.teal.""play"')).toEqual([['--;']]);
  expectEqual(a, b);
});

test('C058 what was admitted is recorded by nobody as its own, and further syncs carry nothing', () => {
  const c = world.init('c');
  a.exec(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX t_v ON t (v); CREATE VIEW vv AS SELECT v FROM t;
     CREATE TRIGGER tg AFTER INSERT ON t BEGIN SELECT 1; END`,
  );
  syncAll([a, b, c], { times: 2 });
  for (const replica of [b, c]) {
    expect(
      replica
        .core()
        .migrations({ limit: 100 })
        .filter(({ origin }) => origin === replica.core().identity().site),
    ).toEqual([]);
    replica.reopen();
  }
  syncAll([a, b, c]);
  const moved = [b.pull(a), c.pull(b), a.pull(c)].reduce((sum, { migrations }) => sum + migrations, 0);
  expect(moved).toBe(0);
  b.exec('ALTER TABLE t ADD COLUMN w TEXT');
  expect(a.pull(b).migrations).toBe(1);
  syncAll([a, b, c]);
  expectEqual(a, b, c);
});

test('temporary objects go to nobody, hide nothing of the replica, and live as long as the call; temporary triggers are refused', () => {
  a.exec(BASE);
  expect(a.refused('CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END').message).toMatch(
    /temporary trigger/i,
  );
  expect(a.refused('CREATE TEMP TABLE T (x)').message).toMatch(/would hide the replica's own T/);
  const before = a.core().identity().head;
  expect(
    a.exec(
      'CREATE TEMP TABLE scrap (x); CREATE TEMP VIEW scraps AS SELECT x FROM scrap; INSERT INTO scrap VALUES (1); SELECT x FROM scraps',
    ),
  ).toEqual([[1n]]);
  expect(a.refused('SELECT x FROM scrap').message).toMatch(/no such table: scrap/);
  syncBoth(a, b);
  expect(a.core().identity().head).toBe(before);
  expect(
    b
      .core()
      .catalog()
      .objects.map(({ name }) => name),
  ).toEqual(['t']);
});
