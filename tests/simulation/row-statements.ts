import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { present } from '#shared/assert.ts';

import type { Dice } from './chance.ts';
import { NUMBER_BASE, type ColumnContent, type Content, type TableContent } from './content.ts';

// Random statements on the rows that a replica has just now: tables and keys are few, so that replicas meet on them; values are
// unique, so that each can be found again.

/** A statement, or a transaction of several; null where there is no table. */
export function rowStatement(dice: Dice, content: Content, tablesMax: number): string | null {
  const tables = content.tables
    .filter(({ columns }) => columns.some(({ isGenerated }) => !isGenerated))
    .slice(-tablesMax);
  if (tables.length === 0) return null;
  const one = (): string => dice.weighted(FORMS)(dice, dice.pick(tables));
  if (!dice.happens(0.16)) return one();
  const several = Array.from({ length: dice.between(2, 4) }, one);
  return ['BEGIN', ...several, dice.happens(0.85) ? 'COMMIT' : 'ROLLBACK'].join(';\n');
}

type Form = (dice: Dice, table: TableContent) => string;

const FORMS: readonly (readonly [number, Form])[] = [
  [34, (dice, table) => insert(dice, table, { verb: 'INSERT', rows: 1 })],
  [8, (dice, table) => insert(dice, table, { verb: 'INSERT', rows: dice.between(2, 5) })],
  [
    8,
    (dice, table) =>
      insert(dice, table, { verb: dice.pick(['REPLACE', 'INSERT OR REPLACE']), rows: dice.between(1, 2) }),
  ],
  [4, (dice, table) => insert(dice, table, { verb: 'INSERT OR IGNORE', rows: dice.between(1, 3) })],
  [8, upsert],
  [
    24,
    (dice, table) => `UPDATE ${name(table)} SET ${assignments(dice, table)} WHERE ${whereRow(dice, table)}`,
  ],
  [
    3,
    (dice, table) =>
      `UPDATE OR ${dice.pick(['IGNORE', 'REPLACE'])} ${name(table)} SET ${assignments(dice, table)} WHERE ${whereRow(dice, table)}`,
  ],
  [2, (dice, table) => `UPDATE ${name(table)} SET ${assignments(dice, table)}`],
  [9, (dice, table) => `DELETE FROM ${name(table)} WHERE ${whereRow(dice, table)}`],
  [1, (_dice, table) => `DELETE FROM ${name(table)}`],
  [5, moveKey],
];

const name = (table: TableContent): string => quoteIdentifier(table.name);

const keyOf = ({ columns }: TableContent): readonly ColumnContent[] => columns.filter(({ pk }) => pk > 0);

const othersOf = ({ columns }: TableContent): readonly ColumnContent[] =>
  columns.filter(({ pk, isGenerated }) => pk === 0 && !isGenerated);

function insert(
  dice: Dice,
  table: TableContent,
  how: { readonly verb: string; readonly rows: number },
): string {
  const columns = [...keyOf(table), ...othersOf(table).filter(() => dice.happens(0.7))];
  const row = (): string => `(${columns.map((column) => valueFor(dice, column)).join(', ')})`;
  const rows = Array.from({ length: how.rows }, row).join(', ');
  if (columns.length === 0) return `${how.verb} INTO ${name(table)} DEFAULT VALUES`;
  return `${how.verb} INTO ${name(table)} (${columns.map((column) => quoteIdentifier(column.name)).join(', ')}) VALUES ${rows}`;
}

function upsert(dice: Dice, table: TableContent): string {
  const key = keyOf(table);
  const [first] = othersOf(table);
  const into = insert(dice, table, { verb: 'INSERT', rows: 1 });
  if (key.length === 0 || first === undefined) return into;
  const target = key.map((column) => quoteIdentifier(column.name)).join(', ');
  const set = dice.happens(0.5)
    ? assignments(dice, table)
    : `${quoteIdentifier(first.name)} = excluded.${quoteIdentifier(first.name)}`;
  return `${into} ON CONFLICT (${target}) DO UPDATE SET ${set}`;
}

function moveKey(dice: Dice, table: TableContent): string {
  const key = keyOf(table);
  if (key.length === 0) return insert(dice, table, { verb: 'INSERT', rows: 1 });
  const moved = dice.pick(key);
  return `UPDATE ${name(table)} SET ${quoteIdentifier(moved.name)} = ${keyValue(dice, moved)} WHERE ${whereRow(dice, table)}`;
}

function assignments(dice: Dice, table: TableContent): string {
  const columns = othersOf(table);
  if (columns.length === 0) {
    const key = present(table.columns[0], 'a table has a column');
    return `${quoteIdentifier(key.name)} = ${keyValue(dice, key)}`;
  }
  const chosen = columns.filter(() => dice.happens(0.45));
  return (chosen.length === 0 ? [dice.pick(columns)] : chosen)
    .map((column) => `${quoteIdentifier(column.name)} = ${valueFor(dice, column)}`)
    .join(', ');
}

/** Mostly a row that is there. */
function whereRow(dice: Dice, table: TableContent): string {
  const key = keyOf(table);
  const row = table.rows.length > 0 && dice.happens(0.8) ? dice.pick(table.rows) : null;
  const columns = key.length > 0 ? key : table.columns.slice(0, 1);
  return columns
    .map((column) => {
      const value =
        row === null ? keyValue(dice, column) : sqlLiteral(row.values[table.columns.indexOf(column)]);
      return `${quoteIdentifier(column.name)} IS ${value}`;
    })
    .join(' AND ');
}

function valueFor(dice: Dice, column: ColumnContent): string {
  if (column.pk > 0) return keyValue(dice, column);
  if (dice.happens(0.06)) return 'NULL';
  if (column.isReference) return keyValue(dice, column);
  // Some are alike, for unique keys to meet on.
  if (dice.happens(0.05)) return `'same${dice.between(1, 3)}'`;
  const number = dice.number();
  const type = column.type.toUpperCase();
  if (type.includes('INT')) return `${NUMBER_BASE + number}`;
  if (/REAL|FLOA|DOUB/.test(type)) return `${NUMBER_BASE + number}.25`;
  return dice.weighted([
    [type === 'BLOB' ? 0 : 80, `'v${number}'`],
    [type === 'TEXT' ? 20 : 6, `x'${Buffer.from(`v${number}`).toString('hex')}'`],
    [6, `${NUMBER_BASE + number}`],
    [6, `${NUMBER_BASE + number}.25`],
  ]);
}

function keyValue(dice: Dice, { type, pk, isReference }: ColumnContent): string {
  const isText = /TEXT|CHAR|CLOB/i.test(type);
  if (isText && !isReference) return `'${dice.pick(['k1', 'K1', 'k2', 'k3', 'k4'])}'`;
  if (pk === 1 && type.toUpperCase() === 'INTEGER' && dice.happens(0.06)) return 'NULL';
  return `${dice.happens(0.04) ? dice.between(7, 60) : dice.between(1, 4)}`;
}

/** A value as SQL writes it. */
export function sqlLiteral(value: unknown): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : 'NULL';
}
