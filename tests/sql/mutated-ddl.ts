import fc from 'fast-check';

import { scanTokens } from '#main/sql/scan-tokens.ts';
import { CORPUS } from './corpus.ts';

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

/** DDL that was legal or nearly so, cut up and mixed with what has no business in it; most of it is broken. */
export const mutatedDdl: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(legal, composed, composed), fc.array(cut, { minLength: 0, maxLength: 3 }))
  .map(([sql, cuts]) =>
    cuts
      .reduce<readonly string[]>(
        (tokens, one) => one(tokens),
        scanTokens(sql).map(({ text }) => text),
      )
      .join(''),
  );
