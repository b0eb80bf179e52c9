import type { TableDefinition } from '../sql/ast.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { isSignificant } from '../sql/token.ts';
import type { CapturedTable } from './catalog-captured.ts';
import type { FileCatalog, FileObject } from './catalog-read.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

/** A table of the record that is still in the file. */
export interface StandingTable {
  readonly table: TrackedTable & { readonly name: string };
  readonly object: FileObject<TableDefinition>;
  /** Whether it was made anew under its name, or lost its triggers: what happened to its rows is not in the log. */
  readonly isMadeAnew: boolean;
}

/** Where the tables of the record went. */
export interface Standings {
  readonly standing: readonly StandingTable[];
  readonly lost: readonly (TrackedTable & { readonly name: string })[];
  /** Tables of the file that the record does not have. */
  readonly fresh: readonly FileObject<TableDefinition>[];
}

/**
 * Tells which table of the file is which of the record: by our triggers, which went along when it was renamed, else by
 * its name.
 *
 * A table without our triggers under a name that had them was made anew. Made under another name and renamed, as
 * programs do to alter what ALTER TABLE cannot, it takes the old one's place; made under that very name it is another
 * table.
 */
export function findStandings(
  tables: readonly TrackedTable[],
  catalog: Pick<FileCatalog, 'tables'>,
  captured: ReadonlyMap<number, CapturedTable>,
): Standings {
  const live = tables.filter(isLive);
  const liveByName = new Map(live.map((table) => [foldIdentifier(table.name), table]));
  const claims = new Map<string, TrackedTable>();
  const standing: StandingTable[] = [];
  const stand = (table: StandingTable['table'], name: string, isMadeAnew: boolean): boolean => {
    const object = catalog.tables.get(foldIdentifier(name));
    if (object === undefined) return false;
    claims.set(foldIdentifier(name), table);
    standing.push({ table, object, isMadeAnew });
    return true;
  };
  const unfound = live.filter((table) => {
    const found = captured.get(table.tbl);
    if (found === undefined || isHelper(table, found)) return true;
    return !stand(table, found.name, !found.isWhole);
  });
  const missing = unfound.filter((table) => {
    const key = foldIdentifier(table.name);
    const object = catalog.tables.get(key);
    if (object === undefined || claims.has(key) || !isStillThere(table, object)) return true;
    return !stand(table, table.name, table.kind !== TABLE_KIND.noKey);
  });
  const lost = missing.filter((table) => {
    const found = table.kind === TABLE_KIND.noKey ? soleTwin(table, catalog, claims) : null;
    return found === null || !stand(table, found.name, false);
  });
  const fresh = [...catalog.tables]
    .filter(([key, { definition }]) => definition !== null && !claims.has(key))
    .map(([, object]) => object);
  return { standing, lost, fresh };

  /** A helper of a swap that was noticed before the swap was done: now it has the name of the table that it is for. */
  function isHelper(helper: StandingTable['table'], found: CapturedTable): boolean {
    const replaced = liveByName.get(foldIdentifier(found.name));
    if (replaced === undefined || replaced === helper || captured.has(replaced.tbl)) return false;
    return foldIdentifier(helper.name).includes(foldIdentifier(replaced.name));
  }
}

const isLive = (table: TrackedTable): table is StandingTable['table'] => table.name !== null;

/** Whether the table of this name is the one that was kept track of, though our triggers are gone. */
function isStillThere(table: TrackedTable, { sql }: FileObject<TableDefinition>): boolean {
  return table.kind === TABLE_KIND.noKey || isNameOfRename(sql);
}

/** SQLite writes the new name of a table in double quotes, right after CREATE TABLE. */
function isNameOfRename(sql: string): boolean {
  const [, , name] = scanTokens(sql.slice(0, NAME_MAX)).filter(isSignificant);
  return name?.text.startsWith('"') === true;
}

/** Enough for the beginning of a CREATE TABLE. */
const NAME_MAX = 1_000;

/** A table without a key has none of our triggers: the only other one of its definition is it, under a new name. */
function soleTwin(
  table: TrackedTable,
  catalog: Pick<FileCatalog, 'tables'>,
  claims: ReadonlyMap<string, TrackedTable>,
): FileObject<TableDefinition> | null {
  const parsed = parseDdl(table.definition);
  if (!parsed.ok || parsed.value.kind !== 'createTable') return null;
  const before = parsed.value.table;
  const twins = [...catalog.tables].filter(
    ([key, { definition }]) =>
      definition !== null &&
      !claims.has(key) &&
      compareTables({ ...before, name: definition.name }, definition).equal,
  );
  const [twin] = twins;
  return twin === undefined || twins.length > 1 ? null : twin[1];
}
