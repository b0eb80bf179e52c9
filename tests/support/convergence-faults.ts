import Database from 'better-sqlite3';

import { LOG_KIND } from '#main/store/metadata-schema.ts';
import { TABLE_KIND } from '#main/store/table-facts.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import { canonicalFaults } from './convergence-canonical.ts';
import { problemsOf } from './replica-world.ts';
import type { TestReplica } from './replica-world.ts';

/**
 * What is not as it must be when everything is at rest, in sentences: schemas and rows that differ, files with
 * problems, values that are lost, links that are not quiet.
 */
export function faultsAtRest(
  replicas: readonly TestReplica[],
  missing: (found: ReadonlySet<string>) => readonly string[],
): readonly string[] {
  const [first, ...others] = replicas;
  if (first === undefined) return [];
  const found = new Set(replicas.flatMap((replica) => [...tokensFound(replica)]));
  return [
    ...others.flatMap((other) => differences(first, other)),
    ...replicas.flatMap((replica) => problemsOf(replica).map((problem) => `${replica.name}: ${problem}`)),
    ...madeUpNames(first),
    ...replicas.flatMap(landedAndHeld),
    ...canonicalFaults(first).map((fault) => `${first.name}: ${fault}`),
    ...missing(found).map((token) => `lost ${token}`),
    ...replicas.flatMap((to) => replicas.flatMap((from) => movement(to, from))),
  ];
}

/**
 * Rows of a dropped table, and rows that lost a claim, that are held on one replica that was there and not on another, in
 * sentences. Those that somebody deleted, which the drop may have known of, are nobody's loss. Where two drop a table, or a decision made two tables one, some
 * may hold what others knew to be gone. `reasons`: others that count too.
 */
export function heldFaults(
  replicas: readonly TestReplica[],
  reasons: readonly HeldReason[] = [],
): readonly string[] {
  const alike = new Set<HeldReason>(['droppedTable', 'uniqueCollision', ...reasons]);
  const all = replicas
    .filter(({ name }) => name !== JOINED)
    .map((replica) => ({ name: replica.name, held: heldAlike(replica, alike) }));
  const deleted = new Set([
    ...all.flatMap(({ held }) => held.filter(({ op }) => op === 'delete').map(rowOf)),
    ...replicas.flatMap(deletedOfDropped),
  ]);
  const [first, ...others] = all.map(({ name, held }) => ({
    name,
    rows: [...new Set(held.map(rowOf))]
      .filter((row) => !deleted.has(row))
      .sort()
      .join('; '),
  }));
  if (first === undefined) return [];
  return others
    .filter(({ rows }) => rows !== first.rows)
    .map(({ name, rows }) => `held: ${first.name} has ${first.rows}, ${name} has ${rows}`);
}

/** Rows of dropped tables with an INTEGER PRIMARY KEY that were deleted before. */
function deletedOfDropped({ path }: TestReplica): readonly string[] {
  const db = new Database(path, { readonly: true });
  try {
    return db
      .prepare<[], { readonly name: string; readonly key: number }>(
        `select m.object as name, l.rid as key from _concord_log as l join _concord_table as t on t.tbl = l.tbl
         join _concord_migration as m on m.n = t.dropped where l.kind = ${LOG_KIND.delete} and t.kind = ${TABLE_KIND.integerKey}`,
      )
      .all()
      .map(({ name, key }) => `droppedTable ${name} ${JSON.stringify([key])}`);
  } finally {
    db.close();
  }
}

const heldAlike = (replica: TestReplica, reasons: ReadonlySet<HeldReason>) =>
  replica
    .core()
    .held({ limit: 100_000 })
    .filter(({ reason }) => reasons.has(reason));

const rowOf = ({ reason, table, key }: ReturnType<typeof heldAlike>[number]): string =>
  `${reason} ${table} ${JSON.stringify(key)}`;

/** Values that wait for a row, and are in the tables all the same. */
function landedAndHeld(replica: TestReplica): readonly string[] {
  const landed = tokensIn(tablesOf(replica).flatMap(({ name }) => replica.rows(`SELECT * FROM "${name}"`)));
  return replica
    .core()
    .held({ limit: 100_000 })
    .filter(({ reason }) => reason === 'notNull')
    .map(({ table, values }) => ({ table, tokens: [...tokensIn([Object.values(values)])] }))
    .filter(({ tokens }) => tokens.length > 0 && tokens.every((token) => landed.has(token)))
    .map(({ table, tokens }) => `${replica.name} holds ${tokens.join()} of ${table}, and has it`);
}

/** The one who joins when all is at rest. */
export const JOINED = 'D';

/**
 * Two columns that want one name get names of their own: no gate should have let them both in, and no story names any so. Of two
 * constraints both stay, the later under such a name.
 */
const madeUpNames = (replica: TestReplica): readonly string[] =>
  tablesOf(replica)
    .filter(({ ddl }) => /\b[a-z]_\d+\b/.test(ddl.replaceAll(/constraint "?\w+"?/gi, '')))
    .map(({ ddl }) => `${replica.name}: one column has become two: ${ddl}`);

function movement(to: TestReplica, from: TestReplica): readonly string[] {
  if (to === from) return [];
  const groups = to.pull(from).pages.flatMap((page) => page.groups);
  return groups.length === 0 ? [] : [`${to.name} is sent ${groups.length} groups by ${from.name} at rest`];
}

/** Where two replicas differ in schema or rows, in sentences. */
export function differences(one: TestReplica, other: TestReplica): readonly string[] {
  const here = contentOf(one);
  const there = contentOf(other);
  const tables = [...new Set([...here.keys(), ...there.keys()])]
    .sort()
    .filter((name) => here.get(name) !== there.get(name))
    .map(
      (name) =>
        `${name}: ${one.name} has ${here.get(name) ?? 'none'}, ${other.name} has ${there.get(name) ?? 'none'}`,
    );
  if (one.core().status().fingerprint === other.core().status().fingerprint) return tables;
  return [`fingerprints differ: ${catalogText(one)} | ${catalogText(other)}`, ...tables];
}

const catalogText = (replica: TestReplica): string =>
  replica
    .core()
    .catalog()
    .objects.map(({ ddl }) => ddl)
    .join('; ');

const tablesOf = (replica: TestReplica) =>
  replica
    .core()
    .catalog()
    .objects.filter(({ kind }) => kind === 'table');

/** Rows of each table with their columns in an order of their own: that of columns is drift. */
function contentOf(replica: TestReplica): ReadonlyMap<string, string> {
  return new Map(
    tablesOf(replica).map(({ name, columns, rowsSync }) => {
      const names = columns.map((column) => column.name).sort();
      const shown = names.map((column) => `quote("${column}")`).join(` || ' ' || `);
      // Rows with NULL in their key stay where they are.
      const keyed = columns
        .filter(({ primaryKey }) => primaryKey > 0)
        .map((column) => `"${column.name}" IS NOT NULL`);
      const where = ['1', ...keyed].join(' AND ');
      const rows = rowsSync
        ? replica.rows(`SELECT ${shown} FROM "${name}" WHERE ${where} ORDER BY 1`).flat()
        : [];
      return [name, `(${names.join()}) ${rows.join('; ')}`];
    }),
  );
}

function tokensFound(replica: TestReplica): ReadonlySet<string> {
  const inTables = tablesOf(replica).flatMap(({ name }) => replica.rows(`SELECT * FROM "${name}"`));
  const held = replica
    .core()
    .held({ limit: 100_000 })
    .map(({ values }) => Object.values(values));
  return tokensIn([...inTables, ...held]);
}

/** The values among these that a story wrote. */
export const tokensIn = (rows: readonly (readonly unknown[])[]): ReadonlySet<string> =>
  new Set(rows.flat().filter((value): value is string => typeof value === 'string' && /^v\d+$/.test(value)));
