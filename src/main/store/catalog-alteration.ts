import type { Migration } from '#shared/model/change-group.ts';
import type { ColumnId } from '#shared/model/ids.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';
import { present } from '#shared/assert.ts';

import { isConstraintAction } from '../sql/alter/change-constraint.ts';
import { migrationTypeOf } from '../engine/migration/migration-type-of.ts';
import type { AlterAction, AlterTableStatement, TableDefinition } from '../sql/ast.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { mentionsOf } from './catalog-mentions.ts';
import { recordOwn, type OwnEntry } from './catalog-own-migration.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

export interface OwnAlteration {
  /** As the registry has it, before the alteration or after it; of a dropped column before it. */
  readonly table: TrackedTable;
  readonly action: AlterAction;
  readonly before: TableDefinition;
  readonly after: TableDefinition;
  /** ID of its column, where `table` does not have it: of one that is yet to be added (else drawn), or was dropped. */
  readonly columnId?: ColumnId;
}

/** An alteration in the record. `column`: of the column that it is about. */
export interface OwnAlterationEntry extends OwnEntry {
  readonly column: ColumnId | null;
}

/**
 * Records an alteration of this replica's own as one migration with the next stamp, and raises its element's clock.
 * Several alterations in a row are recorded one after the other, each with the definitions before and after it.
 *
 * Does nothing to the table or the registry; may run before or after that was done, in the same transaction.
 */
export function recordAlteration(store: ReplicaStore, alteration: OwnAlteration): OwnAlterationEntry {
  const { table, action, before, after } = alteration;
  const statement: AlterTableStatement = { kind: 'alterTable', table: before.name, action };
  const { type, element, columns } = subjectOf(store, alteration);
  const entry = recordOwn(
    store,
    {
      type,
      kind: 'table',
      object: after.name,
      element,
      tableId: table.id,
      columns,
      ddl: canonicalStatement(statement),
      mentions: NAMES_OTHERS.has(action.kind) ? mentionsOf(store, statement) : [],
    },
    table.tbl,
  );
  return { ...entry, column: element === null ? null : (columns[0]?.id ?? null) };
}

/** Actions whose text names more than the element itself. */
const NAMES_OTHERS: ReadonlySet<AlterAction['kind']> = new Set([
  'addColumn',
  'addConstraint',
  'dropUnnamedConstraint',
  'alterPrimaryKey',
]);

type Subject = Pick<Migration, 'type' | 'element' | 'columns'>;
type Column = Migration['columns'][number];

function subjectOf(store: ReplicaStore, alteration: OwnAlteration): Subject {
  const { action } = alteration;
  const type = migrationTypeOf(action);
  if (action.kind === 'renameTable' || isConstraintAction(action))
    return { type, element: constraintOf(action), columns: [] };
  switch (action.kind) {
    case 'addColumn': {
      const { name } = action.column;
      return ofColumn(type, { id: findColumn(alteration, [name])?.id ?? store.newColumnId(), name });
    }
    case 'renameColumn': {
      const { id } = columnOf(alteration, [action.column, action.newName]);
      return ofColumn(type, { id, name: action.newName });
    }
    case 'alterPrimaryKey':
      return {
        type,
        element: null,
        columns: action.columns.map(({ column }) => columnNamed(alteration, column)),
      };
    default:
      return ofColumn(type, columnOf(alteration, [action.column]));
  }
}

/** The name of the constraint that an action leaves, or takes; null where it has none or is about something else. */
function constraintOf(action: AlterAction): string | null {
  if (action.kind === 'addConstraint') return action.constraint.name ?? null;
  if (action.kind === 'dropConstraint') return action.name;
  return action.kind === 'renameConstraint' ? action.newName : null;
}

const ofColumn = (type: MigrationType, column: Column): Subject => ({
  type,
  element: column.name,
  columns: [column],
});

/** The column that an alteration is about, under one of these names. */
const columnOf = (alteration: OwnAlteration, names: readonly string[]): Column =>
  known(alteration, findColumn(alteration, names));

const columnNamed = ({ table }: OwnAlteration, name: string): Column =>
  known({ table }, findColumn({ table }, [name]));

function findColumn(
  { table, columnId }: Pick<OwnAlteration, 'table' | 'columnId'>,
  names: readonly string[],
): Column | undefined {
  const [first = ''] = names;
  if (columnId !== undefined) return { id: columnId, name: first };
  const column = table.liveColumns.find(({ name }) => names.some((wanted) => isSameName(wanted, name)));
  return column === undefined ? undefined : { id: column.id, name: column.name };
}

const known = ({ table }: Pick<OwnAlteration, 'table'>, column: Column | undefined): Column =>
  present(column, `an alteration of ${table.name ?? ''} is about a column that is not kept track of`);
