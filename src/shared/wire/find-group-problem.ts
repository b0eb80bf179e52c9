import type { ChangeGroup, FactBlock, PiecedFact, TableReference } from '../model/change-group.ts';

// What a schema cannot say of a group: that indexes lead somewhere, rows are as wide as their columns,
// lives have the right parity, values are values. Admission relies on all of it.

export interface GroupProblem {
  /** Where in the group, such as `blocks[2].rows[0]`. */
  readonly path: string;
  readonly why: string;
}

/** Finds the first thing that makes no sense in a group that has the shape of one; null when there is none. */
export function findGroupProblem(group: ChangeGroup): GroupProblem | null {
  return (
    firstProblem('tables', group.tables, findTableProblem) ??
    firstProblem('blocks', group.blocks, (block) => findBlockProblem(block, group)) ??
    firstProblem('pieced', group.pieced ?? [], (fact) => findPiecedProblem(fact, group)) ??
    firstProblem('replacements', group.replacements ?? [], ({ table }) =>
      table < group.tables.length ? null : problem('table', `${table} is not among the group's tables`),
    )
  );
}

function findPiecedProblem({ block, row, values }: PiecedFact, group: ChangeGroup): GroupProblem | null {
  const found = group.blocks[block];
  if (found === undefined) return problem('block', `${block} is not among the group's blocks`);
  if (row >= found.rows.length) return problem('row', `there is no row ${row}`);
  const stray = values.find(([place]) => place >= found.columns.length);
  return stray === undefined ? null : problem('values', `there is no place ${stray[0]} among the columns`);
}

function findTableProblem(table: TableReference): GroupProblem | null {
  return findIndexProblem('key', table.key, table.columns.length);
}

function findBlockProblem(block: FactBlock, group: ChangeGroup): GroupProblem | null {
  const table = group.tables[block.table];
  if (table === undefined) return problem('table', `${block.table} is not among the group's tables`);
  if (block.site >= group.sites.length)
    return problem('site', `${block.site} is not among the group's sites`);
  return (
    findIndexProblem('columns', block.columns, table.columns.length) ??
    findKeyProblem(block, table) ??
    firstProblem('rows', block.rows, (row) => findRowProblem(row, block.columns.length)) ??
    firstProblem('lives', block.lives, (life) => findLifeProblem(life, block)) ??
    firstProblem('clocks', block.clocks, (clock) => findClockProblem(clock, { block, group }))
  );
}

/** Each index once, each within bounds. */
function findIndexProblem(path: string, indexes: readonly number[], length: number): GroupProblem | null {
  const stray = indexes.find((index) => index >= length);
  if (stray !== undefined) return problem(path, `${stray} is not among the table's ${length} columns`);
  return new Set(indexes).size === indexes.length ? null : problem(path, 'a column stands there twice');
}

function findKeyProblem(block: FactBlock, table: TableReference): GroupProblem | null {
  const begins = table.key.every((column, place) => block.columns[place] === column);
  if (!begins) return problem('columns', 'they do not begin with the key');
  const isBare = block.columns.length === table.key.length;
  // Cells may be of the key alone: one that its collation folds can be respelled.
  return block.kind === 'deletes' && !isBare
    ? problem('columns', 'a delete has a key and nothing else')
    : null;
}

function findRowProblem(row: unknown, width: number): GroupProblem | null {
  if (!Array.isArray(row)) return problem('', 'expected a row');
  if (row.length !== width) return problem('', `${row.length} values for ${width} columns`);
  for (let place = 0; place < width; place += 1) {
    if (!isSqlValue(row[place])) return problem(`[${place}]`, 'not an SQL value');
  }
  return null;
}

function isSqlValue(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'bigint':
      return true;
    case 'number':
      return !Number.isNaN(value);
    case 'object':
      return value === null || value instanceof Uint8Array || isRawText(value);
    default:
      return false;
  }
}

const isRawText = (value: object): boolean =>
  'textBytes' in value && value.textBytes instanceof Uint8Array && Object.keys(value).length === 1;

function findLifeProblem([row, life]: readonly [number, number], block: FactBlock): GroupProblem | null {
  if (row >= block.rows.length) return problem('', `there is no row ${row}`);
  // A row can be deleted, or left out of a life that goes on.
  const isLife = block.kind === 'deletes' || life % 2 === 1;
  return isLife ? null : problem('', `${life} is no life of ${block.kind}`);
}

function findClockProblem(
  [row, place, , site]: readonly [number, number, bigint, number],
  { block, group }: { readonly block: FactBlock; readonly group: ChangeGroup },
): GroupProblem | null {
  if (block.kind === 'deletes') return problem('', 'a delete has no cells');
  if (row >= block.rows.length) return problem('', `there is no row ${row}`);
  if (place >= block.columns.length) return problem('', `there is no place ${place} among the columns`);
  return site < group.sites.length ? null : problem('', `site ${site} is not among the group's sites`);
}

const problem = (path: string, why: string): GroupProblem => ({ path, why });

function firstProblem<T>(
  name: string,
  items: readonly T[],
  find: (item: T) => GroupProblem | null,
): GroupProblem | null {
  for (const [at, item] of items.entries()) {
    const found = find(item);
    if (found !== null) return { path: joinPath(`${name}[${at}]`, found.path), why: found.why };
  }
  return null;
}

function joinPath(outer: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;
}
