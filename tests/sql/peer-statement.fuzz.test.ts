import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { checkPeerStatement } from '#main/sql/check-peer-statement.ts';
import { splitStatements } from '#main/sql/split-statements.ts';
import { CORPUS_SETUP } from './corpus.ts';
import { mutatedDdl } from './mutated-ddl.ts';

// Guards SCHEMA-003. Legal DDL is cut up and mixed with what must not get through. What the filter lets pass is run: it
// must be one statement for SQLite too, and change nothing but user objects of the main schema; nor may it later.

test('SCHEMA-003: what passes the filter is one statement, and touches user objects alone', () => {
  const scratch = openScratch();
  const before = protectedState(scratch);
  const seen = { passed: 0, executed: 0 };
  fc.assert(
    fc.property(mutatedDdl, (sql) => {
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
    { numRuns: 1000 },
  );
  expect(seen.passed).toBeGreaterThan(60);
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
    temporaryRows: all('select * from temp._concord_scratch'),
    attached: all('select * from attached.sqlite_schema'),
    attachedRows: all('select * from attached.other'),
    databases: all('pragma database_list'),
    settings: ['user_version', 'application_id', 'writable_schema', 'foreign_keys', 'recursive_triggers'].map(
      (name) => scratch.pragma(name),
    ),
    counters: all(`select * from sqlite_sequence where name = 'counted'`),
  };
}

/** Temporary tables on the engine's connection are bookkeeping by their names: a bare name means no other. */
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
    create temp table _concord_scratch (a);
    insert into temp._concord_scratch values (1);
    insert into base (a) values ('x'), ('y');
    insert into parent values (1, 'x', 'y');
  `);
  return scratch;
}
