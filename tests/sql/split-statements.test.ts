import { expect, test } from 'vitest';

import { splitStatements } from '#main/sql/split-statements.ts';
import { CORPUS } from './corpus.ts';

const trigger =
  "create trigger g after insert on t begin update t set a = case when 1 then 2 end; select ';'; end";

const scripts: readonly (readonly [title: string, script: string, ...texts: string[]])[] = [
  ['nothing', ''],
  ['white space, comments and semicolons only', ' ;; -- none; at all\n /* ; */ ; '],
  ['one without a semicolon', 'select 1', 'select 1'],
  ['two on a line', 'select 1; select 2;', 'select 1', 'select 2'],
  [
    'semicolons in texts, names and comments',
    `select ';', ";" /* ; */ -- ;\n, [;]; b`,
    `select ';', ";" /* ; */ -- ;\n, [;]`,
    'b',
  ],
  ['comments around', '/* a */ select 1 /* b */; -- c\nselect 2', 'select 1', 'select 2'],
  ['a trigger between others', `begin; ${trigger}; commit`, 'begin', trigger, 'commit'],
  [
    'a temporary trigger',
    `create temp ${trigger.slice('create '.length)};x`,
    `create temp ${trigger.slice('create '.length)}`,
    'x',
  ],
  ['an explained trigger', `explain query plan ${trigger}; x`, `explain query plan ${trigger}`, 'x'],
  [
    'a trigger whose body never ends',
    'create trigger g on t begin select 1; select 2;',
    'create trigger g on t begin select 1; select 2;',
  ],
  [
    'a trigger with a word for a statement',
    'create trigger g on t begin select 1; commit; select 2; end; x',
    'create trigger g on t begin select 1; commit; select 2; end',
    'x',
  ],
  ['what is no trigger after all', 'create trigger g; select 1', 'create trigger g', 'select 1'],
  ['a quotation that never ends', "select 1; select 'x; y", 'select 1', "select 'x; y"],
];

test.for(scripts)('splitStatements takes apart %s', ([, script, ...texts]) => {
  expect(splitStatements(script).map(({ text }) => text)).toEqual(texts);
});

test('splitStatements says where each statement stands', () => {
  const script = '-- first\nselect 1;\n\n  select\n 2;';
  expect(splitStatements(script)).toEqual([
    { text: 'select 1', start: 9, end: 17, line: 2 },
    { text: 'select\n 2', start: 22, end: 31, line: 4 },
  ]);
});

test('splitStatements finds every statement of a long script again', () => {
  const script = CORPUS.map(({ sql }) => sql.replace(/;\s*$/, '')).join('\n;\n');
  expect(splitStatements(script)).toHaveLength(CORPUS.length);
});
