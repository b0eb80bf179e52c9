import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { applyAlteration } from '#main/sql/apply-alteration.ts';
import type { TableDefinition } from '#main/sql/ast.ts';
import { compareTables } from '#main/sql/compare-tables.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';
import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { present } from '#shared/assert.ts';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, type TestReplica } from '../support/replica-world.ts';

/** Every kind of table that SQLite has; all have the columns id, a, b and p. */
const KINDS: Readonly<Record<string, string>> = {
  'a rowid table':
    'create table t (id text primary key, a text, b int, p int references p (id) on delete cascade)',
  'a table with INTEGER PRIMARY KEY':
    'create table t (id integer primary key, a text default null, b int default 3, p int references p on delete set null)',
  'a table with AUTOINCREMENT':
    'create table t (id integer primary key autoincrement, a text, b int, p int references p)',
  'a table WITHOUT ROWID':
    'create table t (id text, a text, b int, p int references p (id), primary key (id)) without rowid',
  'a STRICT table': 'create table t (id integer primary key, a text, b int, p int references p) strict',
  'a table with a composite, collated key':
    'create table t (id text collate nocase, a text, b int, p int references p, primary key (id, p desc))',
  'a table with generated columns':
    "create table t (id integer primary key, a text, b int, p int references p, g text as (a || '-' || id) stored, v int as (b + 1))",
  'a table that refers to itself':
    'create table t (id integer primary key, a text, b int, p int references t (id) on delete cascade)',
  'a table with constraints of its own':
    "create table t (id integer primary key, a text constraint short check (length(a) < 9), b int, p int, constraint far foreign key (p) references p (id), constraint one unique (a, b), check (b is null or b > 0 or a = 'nine'))",
  'a table whose columns hide the rowid':
    'create table t (rowid int, _rowid_ int, id text primary key, a text, b int, p int references p)',
  'a table without a key': 'create table t (id text, a text, b int, p int)',
};

const FORMS: readonly string[] = [
  'rename to u',
  'rename column a to aa',
  'rename column b to "else"',
  'rename column id to ident',
  "add column c text default 'd' not null",
  'add column c int',
  'add column c unique',
  'add column c text as (b || a) stored',
  'add column c text as (b || a)',
  'add column p2 int default 1 references p (id)',
  'alter column b set data type text',
  'alter column a set not null',
  'alter column b set default 7',
  'alter column b drop default',
  'alter column a set collate nocase',
  'add constraint only unique (a)',
  'add unique (a, b, id)',
  'add constraint sound check (length(a) > 0)',
  'add check (id is not null)',
  'add constraint kin foreign key (p) references p (id) on delete cascade',
];

const AROUND = `
  create table p (id integer primary key, n text);
  create table child (n integer primary key, t references t (id) on delete cascade on update cascade, a text);
  create table log (what text);
  insert into p values (1, 'x'), (2, 'y');
  TABLE;
  create index t_b on t (b desc) where b is not null;
  create unique index t_lower on t (lower(id), a);
  create view seen as select t.id, b + 1 as more from t;
  create view seen_again as select more from seen order by more;
  create trigger own after update of b on t begin insert into log values (new.id || old.b); end;
  create trigger other after insert on p begin insert into t (id, a, b, p) values (new.id + 50, 'by trigger', 5, null); end;
  insert into t (id, a, b, p) values (1, 'one', 1, 1), (5, 'five', 5, 1), (9, 'nine', -9, 2), (12, 'twelve', 12, null);
  delete from t where id = 5;
  insert into child values (1, 1, 'c'), (2, 9, 'd');
`;

const { world } = freshReplicas();

describe('alterTable', () => {
  for (const [kind, create] of Object.entries(KINDS)) {
    describe(`on ${kind}`, () => {
      for (const form of FORMS) {
        it(`does ${form.toUpperCase()} and keeps the rest (A01 to A09)`, () => {
          const replica = world.attach('a', AROUND.replace('TABLE', create));
          const before = pictureOf(replica);
          const sql = `alter table t ${form}`;
          const wanted = definitionAfter(definitionOf(replica, 't'), sql);
          if (wanted === null) {
            replica.refused(sql);
            expect(pictureOf(replica)).toEqual(before);
            return;
          }
          replica.exec(sql);
          expect(problemsOf(replica)).toEqual([]);
          const after = pictureOf(replica);
          const comparison = compareTables(definitionOf(replica, wanted.name), wanted);
          expect(comparison.equal ? [] : comparison.differences).toEqual([]);
          expect(after.objects).toEqual(before.objects);
          expect(after.around).toEqual(before.around);
          expect(rowsOf(replica, wanted)).toEqual(asConverted(before.rows, form));
          expect(after.sequence).toEqual(before.sequence.map(([, seq]) => [wanted.name, seq]));
          worksOn(replica, wanted);
        });
      }
    });
  }
});

interface Picture {
  readonly objects: readonly unknown[];
  readonly around: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
  readonly sequence: readonly (readonly unknown[])[];
}

function pictureOf(replica: TestReplica): Picture {
  const hasSequence = replica.rows(`select 1 from sqlite_schema where name = 'sqlite_sequence'`).length > 0;
  return {
    objects: replica.rows(
      `select type, name from sqlite_schema where name not like '\\_concord\\_%' escape '\\' and name not like 'sqlite\\_%' escape '\\' and type <> 'table' order by 1, 2`,
    ),
    around: ['p', 'child', 'log'].map((name) => replica.rows(`select * from ${name}`)),
    rows:
      replica.rows(`select name from sqlite_schema where name = 't' and type = 'table'`).length === 0
        ? []
        : rowsOf(replica, definitionOf(replica, 't')),
    sequence: hasSequence ? replica.rows('select name, seq from sqlite_sequence') : [],
  };
}

/** Rows with their rowids, by place: names may have changed, and columns may have come after. */
function rowsOf(
  replica: TestReplica,
  { name, columns, withoutRowid }: TableDefinition,
): readonly (readonly unknown[])[] {
  const names = ['id', 'a', 'b', 'p'].map((wanted) => {
    const renamed = new Map([
      ['a', 'aa'],
      ['b', 'else'],
      ['id', 'ident'],
    ]).get(wanted);
    const column =
      columns.find((candidate) => candidate.name === wanted) ??
      columns.find((candidate) => candidate.name === renamed);
    return quoteIdentifier(present(column, `${wanted} is there`).name);
  });
  const rowid = withoutRowid || columns.some((column) => column.name === 'rowid') ? [] : ['rowid'];
  return replica.rows(
    `select ${[...rowid, ...names].join(', ')} from ${quoteIdentifier(name)} order by ${names[0] ?? ''}`,
  );
}

const asConverted = (rows: readonly (readonly unknown[])[], form: string): readonly unknown[] =>
  form === 'alter column b set data type text'
    ? rows.map((row) => row.with(-2, typeof row.at(-2) === 'bigint' ? String(row.at(-2)) : row.at(-2)))
    : rows;

/** Writes by a plain program, through views and triggers, and with foreign keys on. */
function worksOn(replica: TestReplica, { name, columns }: TableDefinition): void {
  const table = quoteIdentifier(name);
  const id = columns.some((column) => column.name === 'ident') ? 'ident' : 'id';
  const b = columns.some((column) => column.name === 'else') ? '"else"' : 'b';
  const db = new Database(replica.path);
  try {
    db.pragma('foreign_keys = on');
    db.exec(`update ${table} set ${b} = 44 where ${id} = 12; select * from seen_again`);
    expect(db.prepare('select count(*) from log').pluck().get()).toBe(1);
    if (columns.some((column) => column.name === 'aa')) return;
    expect(db.prepare('select max(more) from seen_again').pluck().get()).toBe(45);
  } finally {
    db.close();
  }
}

function definitionOf(replica: TestReplica, name: string): TableDefinition {
  const [[sql] = []] = replica.rows(
    `select sql from sqlite_schema where type = 'table' and name = '${name}'`,
  );
  const parsed = parseDdl(String(sql));
  if (!parsed.ok || parsed.value.kind !== 'createTable')
    throw new Error(`${name} cannot be read: ${String(sql)}`);
  return parsed.value.table;
}

function definitionAfter(table: TableDefinition, sql: string): TableDefinition | null {
  const parsed = parseDdl(sql);
  if (!parsed.ok || parsed.value.kind !== 'alterTable') throw new Error(`${sql} cannot be read`);
  const applied = applyAlteration(table, parsed.value.action);
  return applied.ok ? applied.value : null;
}
