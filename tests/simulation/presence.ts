import { jsonToSqlValue } from '#shared/model/json-sql-value.ts';
import type { HeldView } from '#shared/model/views.ts';

import { comparable, tokenOf, type Content, type RowContent, type TableContent } from './content.ts';

/** Where a value is on a replica. */
export type Place =
  | {
      readonly kind: 'table';
      readonly table: TableContent;
      readonly row: RowContent;
      /** Index among the table's columns. */
      readonly column: number;
    }
  | { readonly kind: 'held'; readonly held: HeldView; readonly column: string };

/** Every value of the story that a replica has, in its tables and among what it holds. */
export interface Presence {
  readonly content: Content;
  readonly held: readonly HeldView[];
  readonly places: ReadonlyMap<number, readonly Place[]>;
}

export function presenceOf(content: Content, held: readonly HeldView[]): Presence {
  const places = new Map<number, Place[]>();
  const add = (value: unknown, place: Place): void => {
    const token = tokenOf(value);
    if (token === null) return;
    const known = places.get(token);
    if (known === undefined) places.set(token, [place]);
    else known.push(place);
  };
  for (const table of content.tables)
    for (const row of table.rows)
      row.values.forEach((value, column) => add(value, { kind: 'table', table, row, column }));
  for (const fact of held) {
    for (const [column, value] of Object.entries(fact.values))
      add(heldValue(value), { kind: 'held', held: fact, column });
    fact.key.forEach((value) => add(heldValue(value), { kind: 'held', held: fact, column: '' }));
  }
  return { content, held, places };
}

/** A value as JSON carries it, as SQLite gives it. */
export function heldValue(json: unknown): unknown {
  const value = jsonToSqlValue(json);
  return value.ok ? value.value : null;
}

/** Values of a row by the ID of their column, as keys compare them. */
export const valuesById = ({ columns }: TableContent, row: RowContent): ReadonlyMap<string, string> =>
  new Map(columns.map(({ id }, index) => [id, comparable(row.values[index])]));

export const keyIds = ({ columns }: TableContent): readonly string[] =>
  columns.filter(({ pk }) => pk > 0).map(({ id }) => id);
