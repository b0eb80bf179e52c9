import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonicalExpression, comparableExpression } from '#main/sql/canonical-expression.ts';

const rewritten: readonly (readonly [written: string, canonical: string])[] = [
  ['a', 'a'],
  ['  a  /* c */ -- d', 'a'],
  ['"a"', 'a'],
  ['[a b]', '"a b"'],
  ['`select`', '"select"'],
  ['"key"', '"key"'],
  ["'It''s'", "'It''s'"],
  ['(((a)))', 'a'],
  ['a!=b and c==d', 'a <> b AND c = d'],
  ['a isnull or b notnull or c not null', 'a IS NULL OR b IS NOT NULL OR c IS NOT NULL'],
  ['not null', 'NOT NULL'],
  ['a isnull + b', 'a ISNULL + b'],
  ['a not null || b', 'a NOTNULL || b'],
  ['(a isnull) + b', '(a IS NULL) + b'],
  ['(a) - (b - c)', 'a - (b - c)'],
  ['(a - b) - c', 'a - b - c'],
  ['a + (b * c)', 'a + b * c'],
  ['(a + b) * c', '(a + b) * c'],
  ['((a and b) and (c or d))', 'a AND b AND (c OR d)'],
  ['a or (b or (c or d))', 'a OR b OR c OR d'],
  ['x between (1) and (a = b)', 'x BETWEEN 1 AND (a = b)'],
  ['x between 1 and (a and b)', 'x BETWEEN 1 AND (a AND b)'],
  ['(x between 1 and 2) and y', 'x BETWEEN 1 AND 2 AND y'],
  ['not (a = b)', 'NOT a = b'],
  ['(not a) = b', '(NOT a) = b'],
  ['a = (not b)', 'a = (NOT b)'],
  ['-(-3) - -x', '-(-3) - -x'],
  ['- 9', '-9'],
  ['- - 9', '- -9'],
  ['~(a)+ +b', '~a + +b'],
  ['(a || b) collate nocase', '(a || b) COLLATE nocase'],
  ['(a) collate nocase', 'a COLLATE nocase'],
  ['a in ((1), (b))', 'a IN (1, b)'],
  ['a in ((select 1))', 'a IN ((SELECT 1))'],
  ['a not in (b)', 'a NOT IN (b)'],
  ['(a, b) = ((1), 2)', '(a, b) = (1, 2)'],
  ['((a, b)) = (1, 2)', '(a, b) = (1, 2)'],
  ['exists (select 1)', 'EXISTS (SELECT 1)'],
  ['F ((a), (b)) like ("x")', 'F(a, b) LIKE x'],
  ['like((a), b)', 'LIKE(a, b)'],
  ['regexp((a))', 'REGEXP(a)'],
  ['case (a) when (1) then (b+1)*2 else (c) end + 1', 'CASE a WHEN 1 THEN (b + 1) * 2 ELSE c END + 1'],
  ['(case when a then b end)', 'CASE WHEN a THEN b END'],
  ['(x + "end" or b) and c', '(x + "end" OR b) AND c'],
  ['cast((a) as text)', 'CAST(a AS text)'],
  ['count( * ) filter (where (a) > 1)', 'count(*) filter (WHERE a > 1)'],
  ['values (1), ((2)), (3)', 'VALUES (1), (2), (3)'],
  ['select (a), (b) from t where (a = 1) and (b)', 'SELECT a, b FROM t WHERE a = 1 AND b'],
  ['select 1 from (t) group by (a), (b) limit (1)', 'SELECT 1 FROM (t) GROUP BY a, b LIMIT 1'],
  ['t . a', 't.a'],
  ['"order".[group]', '"order"."group"'],
  ["a->>'$.x'", "a ->> '$.x'"],
  ['1E3 + 0XfF + 1_000', '1e3 + 0xff + 1000'],
  ["X'aB'", "x'AB'"],
  ['"true" = TRUE', '"true" = TRUE'],
  ['current_timestamp', 'CURRENT_TIMESTAMP'],
  ['naïve + 🎵', '"naïve" + "🎵"'],
  [':p + ?1', ':p + ?1'],
];

test.for(rewritten)('canonicalExpression writes %s as %s', ([written, canonical]) => {
  expect(canonicalExpression(written)).toBe(canonical);
  expect(canonicalExpression(canonical)).toBe(canonical);
});

const equal: readonly (readonly [left: string, right: string])[] = [
  ['a > 0', '(A)>0'],
  ['"KEY" = 1', 'key = 1'],
  ['a is not null', 'a NOTNULL'],
  ['[select] <> 1', '"SELECT" != 1'],
  ['lower(a) LIKE b', 'LOWER ( "a" ) like (b)'],
];

test.for(equal)('G03: %s and %s are comparable as equal', ([left, right]) => {
  expect(comparableExpression(left)).toBe(comparableExpression(right));
});

const different: readonly (readonly [left: string, right: string])[] = [
  ["a = 'x'", "a = 'X'"],
  ["a = 'x y'", "a = 'x  y'"],
  ["a = 'x'", 'a = "x"'],
  ['a = "É"', 'a = "é"'],
  ['a - (b - c)', 'a - b - c'],
  ['a = true', 'a = "true"'],
  ['a = current_date', 'a = "current_date"'],
  ['a > 1', 'a >= 1'],
  ["x'AB'", "x'AC'"],
  ['-1', '+1'],
  ['1', '1.0'],
];

test.for(different)('%s and %s are not', ([left, right]) => {
  expect(comparableExpression(left)).not.toBe(comparableExpression(right));
});

const binary = fc.constantFrom(
  ...['+', '-', '*', '/', '%', '||', '=', '==', '!=', '<>', '<', '<=', '>', '>=', '&', '|', '<<', '>>'],
  ...['and', 'or', 'is', 'is not', 'like', 'not like', 'glob', 'is not distinct from'],
);

const { expression } = fc.letrec<{ readonly expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom('a', 'b', 'c', '0', '1', '2.5', 'null', "'x'", "'1'", 'true'),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `((${inner}))`),
    fc.tuple(tie('expression'), binary, tie('expression')).map((parts) => parts.join(' ')),
    fc.tuple(fc.constantFrom('not', '-', '+', '~'), tie('expression')).map((parts) => parts.join(' ')),
    fc
      .tuple(tie('expression'), fc.constantFrom('isnull', 'notnull', 'not null', 'collate nocase'))
      .map((parts) => parts.join(' ')),
    fc
      .tuple(tie('expression'), fc.constantFrom('', 'not '), tie('expression'), tie('expression'))
      .map(([subject, not, low, high]) => `${subject} ${not}between ${low} and ${high}`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([when, then, otherwise]) => `case when ${when} then ${then} else ${otherwise} end`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `ifnull(${left}, ${right})`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `${left} in (${right}, (1))`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `${left} in (select ${right})`),
  ),
}));

// SQLite evaluates both over rows that tell most operators apart.
test('the canonical expression has the same value as what was written', () => {
  const scratch = new Database(':memory:');
  scratch.exec(`create table t (a, b, c);
    insert into t values (0, 1, 2), (1, 0, null), (null, 2, 1), ('x', 'X', 1), (3, 2, 1), (1, 1, 0), (2.5, -1, '2')`);
  const valuesOf = (sql: string): unknown => scratch.prepare(`select quote(${sql}) from t`).pluck().all();
  const isValid = (sql: string): boolean => {
    try {
      scratch.prepare(`select ${sql} from t`);
      return true;
    } catch {
      return false;
    }
  };
  let judged = 0;
  fc.assert(
    fc.property(expression, (written) => {
      const canonical = canonicalExpression(written);
      expect(canonicalExpression(canonical)).toBe(canonical);
      if (!isValid(written)) return;
      judged += 1;
      expect(valuesOf(canonical)).toEqual(valuesOf(written));
    }),
    { numRuns: 2000 },
  );
  scratch.close();
  expect(judged).toBeGreaterThan(1000);
});
