import { expect, test } from 'vitest';

import { parseDdl } from '#main/sql/parse-ddl.ts';
import { BROKEN, CORPUS, DIALECT } from './corpus.ts';

test.for(CORPUS)('parseDdl reads $title', ({ sql }) => {
  expect(parseDdl(sql)).toMatchObject({ ok: true });
});

test.for(DIALECT)('parseDdl reads the dialect: %s', (sql) => {
  expect(parseDdl(sql)).toMatchObject({ ok: true, value: { kind: 'alterTable' } });
});

test.for(BROKEN)('parseDdl refuses %s', ([sql, near]) => {
  expect(parseDdl(sql)).toMatchObject({ ok: false, error: { code: 'ddl-syntax', near } });
});
