import type { CatalogObject } from '#shared/model/views.ts';
import { readTableExactly } from '../store/plain-connection.ts';
import { isSameRow, rowsText } from './compare-values.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import { failed, PASSED, type StepOutcome } from './step-outcome.ts';

/** Equal schema fingerprints, and equal rows in every table whose rows sync. */
export async function checkConverged(world: ScenarioWorld, names: readonly string[]): Promise<StepOutcome> {
  const difference = await findDifference(world, names);
  return difference === null ? PASSED : failed(`${names.join(', ')} converged`, difference);
}

/** Not all of them are equal. */
export async function checkDiverged(world: ScenarioWorld, names: readonly string[]): Promise<StepOutcome> {
  const difference = await findDifference(world, names);
  return difference === null ? failed(`${names.join(', ')} diverged`, 'they are equal') : PASSED;
}

/** The first difference from the first replica, in words; null when there is none. */
async function findDifference(world: ScenarioWorld, names: readonly string[]): Promise<string | null> {
  const [first, ...others] = names;
  if (first === undefined) return null;
  for (const other of others) {
    const difference =
      (await fingerprintDifference(world, first, other)) ?? (await rowDifference(world, first, other));
    if (difference !== null) return difference;
  }
  return null;
}

async function fingerprintDifference(world: ScenarioWorld, a: string, b: string): Promise<string | null> {
  const [left, right] = await Promise.all([a, b].map(async (name) => (await world.host(name)).status()));
  if (left?.fingerprint === right?.fingerprint) return null;
  const [leftObjects, rightObjects] = await Promise.all([objectTexts(world, a), objectTexts(world, b)]);
  const onlyLeft = leftObjects.filter((ddl) => !rightObjects.includes(ddl));
  const onlyRight = rightObjects.filter((ddl) => !leftObjects.includes(ddl));
  const list = (texts: readonly string[]): string => (texts.length === 0 ? 'nothing' : texts.join('; '));
  return `the schemas differ: only on ${a} ${list(onlyLeft)}; only on ${b} ${list(onlyRight)}`;
}

async function objectTexts(world: ScenarioWorld, name: string): Promise<readonly string[]> {
  const catalog = await (await world.host(name)).catalog();
  return catalog.objects.map((object) => object.ddl.replaceAll(/\s+/g, ' '));
}

async function rowDifference(world: ScenarioWorld, a: string, b: string): Promise<string | null> {
  const [left, right] = await Promise.all([syncedTables(world, a), syncedTables(world, b)]);
  for (const [name, table] of left) {
    const other = right.get(name);
    if (other === undefined) return `${b} has no table ${table.name}, ${a} has`;
    const difference = compareTable(world, { name: a, table }, { name: b, table: other });
    if (difference !== null) return difference;
  }
  const missing = [...right].find(([name]) => !left.has(name));
  return missing === undefined ? null : `${a} has no table ${missing[1].name}, ${b} has`;
}

async function syncedTables(world: ScenarioWorld, name: string): Promise<ReadonlyMap<string, CatalogObject>> {
  const catalog = await (await world.host(name)).catalog();
  const tables = catalog.objects.filter((object) => object.kind === 'table' && object.rowsSync);
  return new Map(tables.map((table) => [table.name.toLowerCase(), table]));
}

interface Side {
  readonly name: string;
  readonly table: CatalogObject;
}

function compareTable(world: ScenarioWorld, left: Side, right: Side): string | null {
  const columns = columnNames(left.table);
  if (columns.join() !== columnNames(right.table).join()) {
    return `${left.table.name} has columns ${columns.join(', ')} on ${left.name} and ${columnNames(right.table).join(', ')} on ${right.name}`;
  }
  const leftRows = readTableExactly(world.path(left.name), left.table.name, {
    columns,
    key: keyNames(left.table),
  });
  if (!leftRows.ok) return `${left.table.name} on ${left.name}: ${leftRows.error.message}`;
  const rightRows = readTableExactly(world.path(right.name), right.table.name, {
    columns,
    key: keyNames(right.table),
  });
  if (!rightRows.ok) return `${right.table.name} on ${right.name}: ${rightRows.error.message}`;
  const length = Math.max(leftRows.value.length, rightRows.value.length);
  for (let index = 0; index < length; index += 1) {
    const [a, b] = [leftRows.value[index], rightRows.value[index]];
    if (a !== undefined && b !== undefined && isSameRow(a, b)) continue;
    const texts = [a, b].map((row) => (row === undefined ? 'no row' : rowsText([row])));
    return `row ${index + 1} of ${left.table.name} is ${texts[0] ?? ''} on ${left.name} and ${texts[1] ?? ''} on ${right.name}`;
  }
  return null;
}

/** In an order of their own: the order of columns is drift. */
function columnNames(table: CatalogObject): readonly string[] {
  return table.columns.map((column) => column.name.toLowerCase()).sort();
}

const keyNames = (table: CatalogObject): readonly string[] =>
  table.columns.filter(({ primaryKey }) => primaryKey > 0).map(({ name }) => name);
