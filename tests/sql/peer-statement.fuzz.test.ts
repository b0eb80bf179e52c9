import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { checkPeerStatement } from '#main/sql/check-peer-statement.ts';
import { splitStatements } from '#main/sql/split-statements.ts';
import { scanTokens } from '#main/sql/scan-tokens.ts';
import { CORPUS, CORPUS_SETUP } from './corpus.ts';

// Guards SCHEMA-003. Legal DDL is cut up and mixed with what must not get through. What the filter lets pass is run: it
// must be one statement for SQLite too, and change nothing but user objects of the main schema; nor may it later.

const HOSTILE: readonly string[] = [
  ';',
  '; drop table base;',
  "; attach 'x.db' as x;",
  '; pragma writable_schema = on;',
  '; delete from _concord_secret;',
  '_concord_secret',
  '"_CONCORD_secret"',
  '[_concord_secret]',
  "'_concord_secret'",
  'main._concord_secret',
  'sqlite_schema',
  'sqlite_sequence',
  '"sqlite_sequence"',
  'temp.other',
  'attached.other',
  'temp',
  'attached',
  '.',
  'begin',
  'end',
  'end;',
  'begin select 1; end',
  "load_extension('x')",
  '"load_extension" (\'x\')',
  '`edit`(1)',
  'select 1;',
  'delete from _concord_secret;',
  "update _concord_secret set v = 'stolen';",
  'update or ignore sqlite_sequence set seq = 9;',
  "insert into sqlite_sequence values ('base', 99);",
  'delete from base;',
  'with x as (select 1)',
  'as select * from _concord_secret',
  'union select v from _concord_secret',
  'explain',
  'temp',
  'virtual',
  '--',
  '/*',
  '*/',
  '/* ; */',
  "'",
  '"',
  '`',
  '[',
  ']',
  '\u0000',
  '\ufeff',
  '(',
  ')',
  ',',
  "x'",
  '🎵',
  'case',
];

const legal = fc.constantFrom(...CORPUS.map(({ sql }) => sql));

const partSpelt = (part: string): fc.Arbitrary<string> =>
  fc.constantFrom(part, part.toUpperCase(), `"${part}"`, `[${part}]`, `\`${part}\``, `'${part}'`);

/** A table that is nobody's business, and some that are anybody's, in any spelling. */
const tableName = fc
  .constantFrom(
    ['_concord_secret'],
    ['main', '_concord_secret'],
    ['sqlite_sequence'],
    ['main', 'sqlite_sequence'],
    ['sqlite_schema'],
    ['temp', 'other'],
    ['attached', 'other'],
    ['base'],
    ['main', 'parent'],
  )
  .chain((parts) => fc.tuple(...parts.map(partSpelt)))
  .chain((parts) => fc.constantFrom('.', ' . ', '/* . */ .').map((dot) => parts.join(dot)));

const bodyStatement = fc
  .tuple(
    tableName,
    fc.constantFrom(
      'insert into NAME values (9, 9)',
      'insert or replace into NAME select 1, 2',
      'insert into NAME default values',
      'replace into NAME values (1, 2)',
      'update NAME set v = 1',
      'update or ignore NAME set seq = 5',
      'update /* base */ NAME set a = 1',
      'delete from NAME',
      'delete from -- base\n NAME',
      'select * from NAME',
      'insert into base (a) select 1 from NAME',
      'update base set a = (select max(rowid) from NAME)',
      'delete from base where id in NAME',
      "select load_extension('x')",
      'attach NAME as x',
      'pragma user_version = 7',
      'vacuum',
      'drop table NAME',
    ),
  )
  .map(([name, text]) => text.replace('NAME', name));

const select = fc
  .tuple(
    tableName,
    fc.constantFrom(
      'select * from NAME',
      'select 1 from base, NAME',
      'select 1 from base left join NAME on 1',
      'select 1 from base where id in NAME',
      'select (select count(*) from NAME)',
      'select 1 where exists (select 1 from (NAME))',
      'with x as (select * from NAME) select * from x',
      'values (1) union select 1 from NAME',
    ),
  )
  .map(([name, text]) => text.replace('NAME', name));

/** DDL that SQLite would run, and that is about what it should not be about, or not. */
const composed = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('insert', 'update', 'delete', 'update of a'),
      tableName,
      fc.array(bodyStatement, { minLength: 1, maxLength: 2 }),
    )
    .map(
      ([event, table, body]) => `create trigger g after ${event} on ${table} begin ${body.join('; ')}; end`,
    ),
  fc
    .tuple(bodyStatement)
    .map(([body]) => `create trigger g after insert on base when (select 1) begin select 1; ${body}; end`),
  select.map((text) => `create view v as ${text}`),
  fc
    .tuple(
      tableName,
      fc.constantFrom(
        'create index i on NAME (a)',
        'create unique index i on NAME (k) where v > 0',
        'create index NAME on base (a)',
        'create view NAME as select 1',
        'create trigger NAME after insert on base begin select 1; end',
        'create table NAME (k)',
        'create table t (a references NAME)',
        'create table t (a, foreign key (a) references NAME (k) on delete cascade)',
        'drop table NAME',
        'drop view if exists NAME',
        'drop index _concord_secret_k',
        'alter table NAME add column z',
        'alter table NAME add column z references NAME',
        'alter table NAME rename to stolen',
        'alter table NAME drop column v',
        'alter table base rename to NAME',
        'alter table base rename column a to NAME',
      ),
    )
    .map(([name, text]) => text.replaceAll('NAME', name)),
);

type Cut = (tokens: readonly string[]) => readonly string[];

const place = fc.nat({ max: 60 });
const at = (tokens: readonly string[], where: number): number => where % (tokens.length + 1);

const cut: fc.Arbitrary<Cut> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(place, fc.constantFrom(...HOSTILE)).map(
      ([where, text]): Cut =>
        (tokens) =>
          tokens.toSpliced(at(tokens, where), 0, ` ${text} `),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(place, fc.constantFrom(...HOSTILE)).map(
      ([where, text]): Cut =>
        (tokens) =>
          tokens.toSpliced(at(tokens, where), 1, text),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, fc.nat({ max: 4 })).map(
      ([where, count]): Cut =>
        (tokens) =>
          tokens.toSpliced(at(tokens, where), count),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, place).map(
      ([where, from]): Cut =>
        (tokens) =>
          tokens.toSpliced(at(tokens, where), 0, ...tokens.slice(at(tokens, from), at(tokens, from) + 6)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(place, legal)
      .map(([where, other]): Cut => (tokens) => [...tokens.slice(0, at(tokens, where)), other]),
  },
  { weight: 1, arbitrary: legal.map((other): Cut => (tokens) => [...tokens, '; ', other]) },
);

const mutated = fc
  .tuple(fc.oneof(legal, composed, composed), fc.array(cut, { minLength: 0, maxLength: 3 }))
  .map(([sql, cuts]) =>
    cuts
      .reduce<readonly string[]>(
        (tokens, one) => one(tokens),
        scanTokens(sql).map(({ text }) => text),
      )
      .join(''),
  );

test('SCHEMA-003: what passes the filter is one statement, and touches user objects alone', () => {
  const scratch = openScratch();
  const before = protectedState(scratch);
  const seen = { passed: 0, executed: 0 };
  fc.assert(
    fc.property(mutated, (sql) => {
      const checked = checkPeerStatement(sql);
      if (!checked.ok) return;
      seen.passed += 1;
      scratch.exec('begin');
      try {
        if (!runAsOne(scratch, splitStatements(sql)[0]?.text ?? '')) return;
        seen.executed += 1;
        expectNoMention(scratch);
        useEverything(scratch);
        expect(protectedState(scratch)).toEqual(before);
      } finally {
        if (scratch.inTransaction) scratch.exec('rollback');
      }
    }),
    { numRuns: 1500 },
  );
  expect(seen.passed).toBeGreaterThan(100);
  expect(seen.executed).toBeGreaterThan(50);
});

/** Whether SQLite ran it. To it, too, it must be a single statement, and no query. */
function runAsOne(scratch: Database.Database, sql: string): boolean {
  try {
    const statement = scratch.prepare(sql);
    expect(statement.reader).toBe(false);
    statement.run();
    return true;
  } catch (cause) {
    expect(String(cause)).not.toMatch(/more than one statement/);
    return false;
  }
}

/** SQLite itself says who mentions the bookkeeping: it rewrites their texts when it is renamed. */
function expectNoMention(scratch: Database.Database): void {
  scratch.exec('savepoint renamed');
  try {
    scratch.exec('alter table _concord_secret rename to _concord_renamed');
    const texts = scratch.prepare(
      "select name, sql from sqlite_schema where name not like '^_concord^_%' escape '^' and sql like '%^_concord^_renamed%' escape '^'",
    );
    expect(texts.all()).toEqual([]);
  } catch (cause) {
    // A view that refers to what is not there stops every rename.
    if (!(cause instanceof Database.SqliteError)) throw cause;
  } finally {
    scratch.exec('rollback to renamed; release renamed');
  }
}

/** Reads every view and lets every trigger fire, as far as they work. */
function useEverything(scratch: Database.Database): void {
  const objects = scratch
    .prepare<[], { name: string; type: string }>(
      `select name, type from sqlite_schema where type in ('table', 'view') and name <> 'counted' and name not like '\\_concord\\_%' escape '\\' and name not like 'sqlite\\_%' escape '\\'`,
    )
    .all();
  for (const { name } of objects) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    for (const use of [
      `insert into ${quoted} default values`,
      `insert into ${quoted} select * from ${quoted} limit 1`,
      `update ${quoted} set rowid = rowid + 100`,
      `update ${quoted} set a = 'b'`,
      `delete from ${quoted}`,
    ]) {
      // ON CONFLICT ROLLBACK has ended it.
      if (!scratch.inTransaction) return;
      try {
        scratch.exec(use);
      } catch {
        // Not every table takes every statement.
      }
    }
  }
}

/** All that a peer's DDL must leave alone: bookkeeping, other schemas, settings, SQLite's own tables but for rowids. */
function protectedState(scratch: Database.Database): unknown {
  const all = (sql: string): unknown => scratch.prepare(sql).all();
  return {
    secret: all('select * from _concord_secret'),
    bookkeeping: all(
      `select * from sqlite_schema where name like '\\_concord\\_%' escape '\\' or tbl_name like '\\_concord\\_%' escape '\\'`,
    ),
    temporary: all('select * from sqlite_temp_schema'),
    temporaryRows: all('select * from temp.other'),
    attached: all('select * from attached.sqlite_schema'),
    attachedRows: all('select * from attached.other'),
    databases: all('pragma database_list'),
    settings: ['user_version', 'application_id', 'writable_schema', 'foreign_keys', 'recursive_triggers'].map(
      (name) => scratch.pragma(name),
    ),
    counters: all(`select * from sqlite_sequence where name = 'counted'`),
  };
}

function openScratch(): Database.Database {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  scratch.exec(CORPUS_SETUP);
  scratch.exec(`
    create table _concord_secret (k, v);
    create index _concord_secret_k on _concord_secret (k);
    insert into _concord_secret values (1, 'kept'), (2, 'safe');
    create table counted (id integer primary key autoincrement);
    insert into counted values (7);
    attach ':memory:' as attached;
    create table attached.other (a);
    insert into attached.other values (1);
    create temp table other (a);
    insert into temp.other values (1);
    insert into base (a) values ('x'), ('y');
    insert into parent values (1, 'x', 'y');
  `);
  return scratch;
}
