import { readFile } from 'node:fs/promises';

import { Packr } from 'msgpackr';

import type { Candidate } from './candidate.ts';
import { loadPeer } from './load-peer.ts';
import { statementsOf, type PlayedStatement } from './sqlite-replica.ts';

interface Statement {
  readonly run: (tx: null, ...values: readonly unknown[]) => Promise<unknown>;
  readonly finalize: (tx: null) => Promise<unknown>;
}
interface CrDatabase {
  readonly exec: (sql: string) => Promise<unknown>;
  readonly execA: (sql: string, values?: readonly unknown[]) => Promise<readonly (readonly unknown[])[]>;
  readonly prepare: (sql: string) => Promise<Statement>;
}
interface CrSqlite {
  readonly default: (
    locate: () => string,
  ) => Promise<{ readonly open: (name?: string) => Promise<CrDatabase> }>;
}

const DDL =
  'create table w (k text primary key not null, a text, b text, c text, d integer, e integer, f real, g blob)';
const CHANGES = `select "table", pk, cid, val, col_version, db_version, site_id, cl, seq from crsql_changes where db_version > ? and site_id = crsql_site_id()`;
const APPLY = `insert into crsql_changes ("table", pk, cid, val, col_version, db_version, site_id, cl, seq) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** cr-sqlite as WebAssembly, which the registry has without a download. In memory. */
export const crSqlite: Candidate = {
  share: 0.1,
  open: async () => {
    const { here, there } = await openBoth();
    const packr = new Packr({ useRecords: false });
    let sent = 0;
    const carry = async (): Promise<void> => {
      const changes = await here.execA(CHANGES, [sent]);
      const arrived = packr.unpack(packr.pack(changes)) as readonly (readonly unknown[])[];
      await write(there, { sql: APPLY, parts: [arrived] });
      sent = Number((await here.execA('select crsql_db_version()'))[0]?.[0]);
    };
    return {
      work: async (story) => {
        for (const statement of statementsOf(story, plain)) await write(here, statement, carry);
      },
      outcome: async () => {
        const [row] = await there.execA('select count(*), total(d) from w');
        return { rows: Number(row?.[0]), sum: Number(row?.[1]) };
      },
    };
  },
};

async function openBoth(): Promise<{ readonly here: CrDatabase; readonly there: CrDatabase }> {
  const { default: init } = await loadPeer<CrSqlite>('@vlcn.io/crsqlite-wasm');
  const wasm = new URL('crsqlite.wasm', import.meta.resolve('@vlcn.io/crsqlite-wasm'));
  // It fetches its code, and Node's fetch reads no files.
  const fetchOfNode = globalThis.fetch;
  globalThis.fetch = async () =>
    new Response(await readFile(wasm), { headers: { 'content-type': 'application/wasm' } });
  const sqlite = await init(() => wasm.href);
  globalThis.fetch = fetchOfNode;
  const open = async (): Promise<CrDatabase> => {
    const db = await sqlite.open();
    await db.exec(DDL);
    await db.execA(`select crsql_as_crr('w')`);
    return db;
  };
  return { here: await open(), there: await open() };
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

async function write(
  db: CrDatabase,
  { sql, parts }: PlayedStatement,
  carry: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const statement = await db.prepare(sql);
  for (const part of parts) {
    await db.exec('begin');
    for (const values of part) await statement.run(null, ...values);
    await db.exec('commit');
    await carry();
  }
  await statement.finalize(null);
}
