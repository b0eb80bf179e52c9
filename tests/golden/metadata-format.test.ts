import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { METADATA_FORMAT } from '#main/store/metadata-schema.ts';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { stableJson } from '../support/stable-json.ts';

// A change of the bookkeeping without a new format makes a version take the sound file of an earlier one for damaged, or
// miss what that file does not record. So what a format means is written down here. A red test asks for a higher
// METADATA_FORMAT and a new entry, never for a changed one.

const { a } = freshReplicas(['a']);

/** Tables of each kind for which triggers differ. */
const TABLES = [
  'create table by_rowid (k integer primary key, v text, w text unique)',
  'create table by_key (k text collate nocase primary key, v int)',
  'create table no_rowid (k text, l int, v text, primary key (k, l desc)) without rowid',
  'create table computed (k integer primary key, v int, g int as (v + 1) stored) strict',
  'create table no_key (v text)',
];

test(`C062 W13 the bookkeeping of format ${METADATA_FORMAT} is the one that was agreed on`, () => {
  for (const sql of TABLES) a.exec(sql);
  const found = createHash('sha256')
    .update(stableJson(bookkeepingOf(a.path)))
    .digest('base64url');
  const path = new URL('metadata-fingerprints.json', import.meta.url);
  const fingerprints = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, string>>;
  expect({ [METADATA_FORMAT]: found }).toEqual({ [METADATA_FORMAT]: fingerprints[METADATA_FORMAT] });
});

function bookkeepingOf(path: string): readonly unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db
      .prepare(
        String.raw`select type, name, sql from sqlite_schema where name like '\_concord\_%' escape '\' order by name`,
      )
      .all();
  } finally {
    db.close();
  }
}
