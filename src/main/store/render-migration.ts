import type { Migration } from '#shared/model/change-group.ts';

import type { CreateTriggerStatement, CreateViewStatement, DdlStatement } from '../sql/ast.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { renameInTrigger, renameInView } from '../sql/rename-in-body.ts';
import { renameInIndex, type NameChanges } from '../sql/rename-in-definition.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { objectsNamedIn, type NamesInFile } from './file-objects.ts';
import type { ReplicaStore } from './replica-store.ts';
import { renameInScratch, type ScratchObject } from './scratch-rename.ts';

export type BodyStatement = CreateViewStatement | CreateTriggerStatement;

/**
 * The statement of a view, trigger or index with the names that tables and columns have here. What never was here, or is
 * gone, keeps the name that it had at the author. Any other statement is handed back as it is.
 *
 * Throws `AdmissionRefused` where the statement cannot be read.
 */
export function renderHere(
  store: ReplicaStore,
  migration: Migration,
  names: NamesInFile = store.catalog.read(),
): DdlStatement {
  const statement = statementOf(migration);
  const changes = changesHere(store, migration);
  switch (statement.kind) {
    case 'createIndex':
      return { ...statement, index: renameInIndex(statement.index, changes) };
    case 'createView':
    case 'createTrigger':
      if (changes.tables.size === 0 && changes.columns.size === 0) return statement;
      return renameInStatement(statement, {
        migration,
        changes,
        objects: objectsNamedIn(store, statement, names),
      });
    default:
      return statement;
  }
}

/** What the tables and columns that the text names are called here, as far as that is something else. */
function changesHere({ registry }: Pick<ReplicaStore, 'registry'>, { mentions }: Migration): NameChanges {
  const tables = new Map<string, string>();
  const columns = new Map<string, ReadonlyMap<string, string>>();
  for (const mention of mentions) {
    const table = registry.byId(mention.table);
    // Of a table that is gone the text means whatever has its name.
    if (typeof table?.name !== 'string') continue;
    const key = foldIdentifier(mention.name);
    if (table.name !== mention.name) tables.set(key, table.name);
    const renamed = mention.columns.flatMap(({ id, name }) => {
      const col = registry.ordinalOf(table, id);
      const here = table.liveColumns.find((column) => column.col === col);
      return here === undefined || here.name === name ? [] : [[foldIdentifier(name), here.name] as const];
    });
    if (renamed.length > 0) columns.set(key, new Map(renamed));
  }
  return { tables, columns };
}

function statementOf(migration: Migration): DdlStatement {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok) return parsed.value;
  throw new AdmissionRefused({
    cause: 'refusedStatement',
    object: migration.object,
    kind: migration.kind,
    message: `The ${migration.type} of ${migration.object} carries a statement that cannot be read: ${migration.ddl.slice(0, 200)}`,
  });
}

/** By SQLite where it can, else word by word. `objects`: what else the text may refer to, with the names it has here. */
function renameInStatement(
  statement: BodyStatement,
  rename: {
    readonly migration: Pick<Migration, 'mentions'>;
    readonly changes: NameChanges;
    readonly objects: readonly ScratchObject[];
  },
): BodyStatement {
  const { migration, changes, objects } = rename;
  const mentioned = mentionedTables(migration);
  const taken = [...mentioned.map(({ name }) => name), ...changes.tables.values()];
  const others = objects.filter(({ name }) => !taken.some((other) => isSameName(other, name)));
  return renameInScratch(statement, [...mentioned, ...others], changes) ?? renameInWords(statement, changes);
}

const mentionedTables = ({ mentions }: Pick<Migration, 'mentions'>): readonly ScratchObject[] => {
  const byName = new Map(mentions.map((mention) => [foldIdentifier(mention.name), mention]));
  return [...byName.values()].map(({ name, columns }) => ({
    kind: 'table',
    name,
    columns: columns.map((column) => column.name),
  }));
};

const renameInWords = (statement: BodyStatement, changes: NameChanges): BodyStatement =>
  statement.kind === 'createView'
    ? { ...statement, view: renameInView(statement.view, changes) }
    : { ...statement, trigger: renameInTrigger(statement.trigger, changes) };
