import type { CatalogObject, ColumnView } from '#shared/model/views.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Expectation } from './scenario.ts';
import { failed, firstFailure, PASSED, type StepOutcome } from './step-outcome.ts';

type Of<K extends Expectation['kind']> = Extract<Expectation, { kind: K }>;

/** Whether a table is there with exactly these columns, in any order, or is absent. */
export async function checkTable(world: ScenarioWorld, said: Of<'table'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const table = await findTable(world, name, said.name);
    if (said.absent === true) {
      return table === undefined
        ? PASSED
        : failed(`on ${name}: no table ${said.name}`, `it has columns ${columnList(table)}`);
    }
    if (table === undefined) return failed(`on ${name}: table ${said.name}`, 'no such table');
    const isSame = said.columns === undefined || isSameSet(said.columns, namesOf(table.columns));
    return isSame
      ? PASSED
      : failed(`on ${name}: ${said.name} with ${(said.columns ?? []).join(', ')}`, columnList(table));
  });
}

/** Whether a column is as described. */
export async function checkColumn(world: ScenarioWorld, said: Of<'column'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const table = await findTable(world, name, said.table);
    const what = `on ${name}: column ${said.name} of ${said.table}`;
    const column = table?.columns.find((candidate) => isSameName(candidate.name, said.name));
    if (said.absent === true) return column === undefined ? PASSED : failed(`${what} absent`, 'it is there');
    if (table === undefined) return failed(what, 'no such table');
    if (column === undefined) return failed(what, `columns ${columnList(table)}`);
    return compareColumn(what, said, column);
  });
}

function compareColumn(what: string, said: Of<'column'>, column: ColumnView): StepOutcome {
  const pairs: readonly (readonly [string, string | undefined, string])[] = [
    ['type', said.type?.toUpperCase(), column.type.toUpperCase()],
    ['notNull', textOf(said.notNull), String(column.notNull)],
    ['default', textOf(said.default), String(column.defaultText)],
    ['collation', textOf(said.collation)?.toUpperCase(), (column.collation ?? 'BINARY').toUpperCase()],
    ['primaryKey', textOf(said.primaryKey), String(column.primaryKey)],
  ];
  const wrong = pairs.filter(
    ([key, expected, there]) =>
      expected !== undefined &&
      expected !== there &&
      !(key === 'collation' && expected === 'NULL' && there === 'BINARY'),
  );
  if (wrong.length === 0) return PASSED;
  return failed(
    `${what} with ${wrong.map(([key, expected]) => `${key} ${expected ?? ''}`).join(', ')}`,
    wrong.map(([key, , there]) => `${key} ${there}`).join(', '),
  );
}

/** Whether there are exactly these objects of a kind. */
export async function checkObjects(world: ScenarioWorld, said: Of<'objects'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const catalog = await (await world.host(name)).catalog();
    const there = catalog.objects
      .filter((object) => object.kind === said.objectKind)
      .map((object) => object.name);
    const list = (names: readonly string[]): string =>
      names.length === 0 ? 'none' : [...names].sort().join(', ');
    return isSameSet(said.names, there)
      ? PASSED
      : failed(`on ${name}: ${said.objectKind} objects ${list(said.names)}`, list(there));
  });
}

/** Whether the key has exactly these columns in this order. */
export async function checkPrimaryKey(world: ScenarioWorld, said: Of<'primaryKey'>): Promise<StepOutcome> {
  return firstFailure(said.on, async (name) => {
    const table = await findTable(world, name, said.table);
    const expected = `on ${name}: ${said.table} with the key (${said.columns.join(', ')})`;
    if (table === undefined) return failed(expected, 'no such table');
    const key = table.columns
      .filter((column) => column.primaryKey > 0)
      .sort((left, right) => left.primaryKey - right.primaryKey)
      .map((column) => column.name);
    const isSame =
      key.length === said.columns.length &&
      key.every((column, at) => isSameName(column, said.columns[at] ?? ''));
    return isSame ? PASSED : failed(expected, `(${key.join(', ')})`);
  });
}

async function findTable(
  world: ScenarioWorld,
  name: string,
  table: string,
): Promise<CatalogObject | undefined> {
  const catalog = await (await world.host(name)).catalog();
  return catalog.objects.find((object) => object.kind === 'table' && isSameName(object.name, table));
}

const namesOf = (columns: readonly ColumnView[]): readonly string[] => columns.map((column) => column.name);

const columnList = (table: CatalogObject): string => namesOf(table.columns).join(', ');

const textOf = (value: string | boolean | bigint | null | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** Names as SQLite compares them. */
function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const folded = (names: readonly string[]): string =>
    JSON.stringify(names.map((name) => name.toLowerCase()).sort());
  return folded(left) === folded(right);
}
