import type { AlterAction, TableDefinition } from '../../sql/ast.ts';
import { applyAlteration } from '../../sql/apply-alteration.ts';
import { foldIdentifier } from '../../sql/fold-identifier.ts';
import { renameInTable } from '../../sql/rename-in-definition.ts';
import type { FoldedTable } from './fold-shape.ts';
import type { ColumnKey } from './shape-record.ts';

/** A table on its way to what it is to be, with the actions that brought it so far. */
export interface AlterationDraft {
  readonly wanted: FoldedTable;
  readonly actions: readonly AlterAction[];
  /** As it is after the actions so far. */
  readonly table: () => TableDefinition;
  /** Keys of its columns by folded name, likewise. */
  readonly keys: () => ReadonlyMap<string, ColumnKey>;
  /** Appends an action if it can be done now and changes something; answers whether it could be done. */
  readonly act: (action: AlterAction) => boolean;
}

/** `keys`: of the columns by folded name; a column without one is unknown to the record, and goes. */
export function createAlterationDraft(
  current: TableDefinition,
  known: ReadonlyMap<string, ColumnKey>,
  wanted: FoldedTable,
): AlterationDraft {
  let table = current;
  let keys: ReadonlyMap<string, ColumnKey> = new Map(
    current.columns.map(({ name }) => {
      const folded = foldIdentifier(name);
      return [folded, known.get(folded) ?? `unknown ${folded}`];
    }),
  );
  const actions: AlterAction[] = [];
  return { wanted, actions, table: () => table, keys: () => keys, act };

  function act(action: AlterAction): boolean {
    const altered = applyAlteration(table, action);
    if (!altered.ok) return false;
    if (altered.value === table) return true;
    table = altered.value;
    keys = keysAfter(keys, action, wanted);
    actions.push(action);
    return true;
  }
}

function keysAfter(
  keys: ReadonlyMap<string, ColumnKey>,
  action: AlterAction,
  wanted: FoldedTable,
): ReadonlyMap<string, ColumnKey> {
  switch (action.kind) {
    case 'dropColumn':
      return new Map([...keys].filter(([name]) => name !== foldIdentifier(action.column)));
    case 'renameColumn':
      return new Map(
        [...keys].map(([name, key]) =>
          name === foldIdentifier(action.column) ? [foldIdentifier(action.newName), key] : [name, key],
        ),
      );
    case 'addColumn': {
      const name = foldIdentifier(action.column.name);
      const added = wanted.columns.find((column) => foldIdentifier(column.name) === name);
      return new Map([...keys, [name, added?.key ?? `unknown ${name}`]]);
    }
    default:
      return keys;
  }
}

/** The table as it would be if only its name and those of its columns were as wanted: then the rest can be compared. */
export function underWantedNames({ table, keys, wanted }: AlterationDraft): TableDefinition {
  const nameByKey = new Map(wanted.columns.map(({ key, name }) => [key, name]));
  const columns = new Map(
    [...keys()].map(([name, key]) => [name, nameByKey.get(key) ?? `${GONE}${name}`] as const),
  );
  const own = foldIdentifier(table().name);
  return renameInTable(table(), {
    tables: new Map([[own, wanted.name]]),
    columns: new Map([[own, columns]]),
  });
}

/** In front of the name of a column that goes: no column is called so. */
const GONE = '\u{1}gone ';
