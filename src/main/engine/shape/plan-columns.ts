import { foldIdentifier } from '../../sql/fold-identifier.ts';
import type { AlterationDraft } from './alteration-draft.ts';
import type { ColumnKey } from './shape-record.ts';
import { freeName } from './share-names.ts';

/** Drops, renames and adds columns, whichever can be done next, until nothing can. */
export function planColumns(draft: AlterationDraft): void {
  while (dropOne(draft) || renameOne(draft) || addOne(draft) || makeRoom(draft));
}

function dropOne({ keys, wanted, table, act }: AlterationDraft): boolean {
  const isWanted = (key: ColumnKey): boolean => wanted.columns.some((column) => column.key === key);
  return table().columns.some(({ name }) => {
    const key = keys().get(foldIdentifier(name));
    return key !== undefined && !isWanted(key) && act({ kind: 'dropColumn', column: name });
  });
}

function renameOne(draft: AlterationDraft): boolean {
  return misnamed(draft).some(({ column, newName }) => draft.act({ kind: 'renameColumn', column, newName }));
}

function addOne({ keys, wanted, act }: AlterationDraft): boolean {
  const here = new Set(keys().values());
  return wanted.columns.some(({ key, addedDefault }, at) => {
    const column = wanted.definition.columns[at];
    if (here.has(key) || column === undefined) return false;
    // What the default is by now is for later rows: those that are there get what they would have got then.
    return act({
      kind: 'addColumn',
      column: { ...column, primaryKey: undefined, defaultText: addedDefault },
    });
  });
}

/** Columns that swap their names, or that stand where another is to come, step aside under a name of their own. */
function makeRoom(draft: AlterationDraft): boolean {
  const { keys, wanted, table, act } = draft;
  const here = new Set(keys().values());
  const claimed = new Set(
    [
      ...misnamed(draft).map(({ newName }) => newName),
      ...wanted.columns.filter(({ key }) => !here.has(key)).map(({ name }) => name),
    ].map(foldIdentifier),
  );
  const names = new Set([...keys().keys(), ...wanted.columns.map(({ name }) => foldIdentifier(name))]);
  const occupant = table().columns.find(({ name }) => claimed.has(foldIdentifier(name)));
  if (occupant === undefined) return false;
  const newName = freeName(occupant.name, (candidate) => names.has(foldIdentifier(candidate)));
  return act({ kind: 'renameColumn', column: occupant.name, newName });
}

function misnamed({
  keys,
  wanted,
  table,
}: AlterationDraft): readonly { readonly column: string; readonly newName: string }[] {
  const nameByKey = new Map(wanted.columns.map(({ key, name }) => [key, name]));
  return table().columns.flatMap(({ name }) => {
    const newName = nameByKey.get(keys().get(foldIdentifier(name)) ?? '');
    if (newName === undefined || foldIdentifier(newName) === foldIdentifier(name)) return [];
    return [{ column: name, newName }];
  });
}
