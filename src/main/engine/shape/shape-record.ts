import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId } from '#shared/model/ids.ts';

import type { DdlStatement, SqlText } from '../../sql/ast.ts';
import type { NameChanges } from '../../sql/rename-in-definition.ts';

/** Names one column of a table for its whole life, whatever it is called: twins have one key. */
export type ColumnKey = string;

/** A migration that is recorded for a table, as far as its shape depends on it. */
export interface ShapeRecord extends Pick<Migration, 'id' | 'type' | 'stamp' | 'knew'> {
  readonly statement: DdlStatement;
  /** The table's own columns that the statement names, by their folded names at its author. */
  readonly columnIds: ReadonlyMap<string, ColumnKey>;
  /** The column that is added, dropped, renamed or altered; null of the others. */
  readonly subject: ColumnKey | null;
  /** Of a redefine_table: the creations, of tables or of columns, that it makes one. Else empty. */
  readonly unifies: readonly MigrationId[];
  /** Of a redefine_table: defaults with which columns were added, by folded name, where its definition has others by now. */
  readonly added?: ReadonlyMap<string, SqlText | null>;
  /** What the other tables that the statement names, and their columns, are called here. */
  readonly others: NameChanges;
}

/** Nothing has another name here than at the author. */
export const UNCHANGED_NAMES: NameChanges = { tables: new Map(), columns: new Map() };
