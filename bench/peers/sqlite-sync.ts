import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import type { Candidate } from './candidate.ts';
import { outcomeIn, playIn, statementsOf } from './sqlite-replica.ts';

const DDL =
  'create table w (k text primary key not null, a text, b text, c text, d integer, e integer, f real, g blob)';
const CHANGES = `select cloudsync_payload_encode(tbl, pk, col_name, col_value, col_version, db_version, site_id, cl, seq)
  from cloudsync_changes where db_version > ? and site_id = cloudsync_siteid()`;

/** sqlite-sync as a native extension, in files. */
export const sqliteSync: Candidate = {
  share: 0.2,
  open: (folder) => {
    const library = join(
      fileURLToPath(new URL('.', import.meta.resolve('@sqliteai/sqlite-sync-linux-x86_64'))),
      'cloudsync.so',
    );
    const [here, there] = ['a', 'b'].map((name) => {
      const raw = new Database(join(folder, `${name}.db`));
      raw.pragma('journal_mode = wal');
      raw.pragma('synchronous = normal');
      raw.loadExtension(library);
      raw.exec(DDL);
      raw.prepare(`select cloudsync_init('w')`).get();
      return raw;
    });
    if (here === undefined || there === undefined) throw new Error('Two files were to be made.');
    let sent = 0;
    const carry = (): void => {
      const payload = here.prepare(CHANGES).pluck().get(sent);
      there.prepare('select cloudsync_payload_apply(?)').get(payload);
      sent = Number(here.prepare('select cloudsync_db_version()').pluck().get());
    };
    return Promise.resolve({
      work: (story) => {
        for (const statement of statementsOf(story)) playIn(here, statement, carry);
      },
      outcome: () => outcomeIn(there),
    });
  },
};
