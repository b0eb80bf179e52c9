import type { Migration } from '#shared/model/change-group.ts';

import type { ColumnDefinition, IndexDefinition, TableDefinition } from '../sql/ast.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { AdmissionRefused } from './admission-refused.ts';

// What the statement of a migration defines. One that our reader cannot read refuses its unit.

/** The definition that a create_table or redefine_table carries. */
export function tableDefinitionOf(migration: Migration): TableDefinition {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok && parsed.value.kind === 'createTable') return parsed.value.table;
  throw unreadable(migration);
}

/** The definition that a create_index carries. */
export function indexDefinitionOf(migration: Migration): IndexDefinition {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok && parsed.value.kind === 'createIndex') return parsed.value.index;
  throw unreadable(migration);
}

/** The column that an add_column carries. */
export function columnDefinitionOf(migration: Migration): ColumnDefinition {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok && parsed.value.kind === 'alterTable' && parsed.value.action.kind === 'addColumn')
    return parsed.value.action.column;
  throw unreadable(migration);
}

const unreadable = (migration: Migration): AdmissionRefused =>
  new AdmissionRefused({
    cause: 'refusedStatement',
    object: migration.object,
    kind: migration.kind,
    message: `The ${migration.type} of ${migration.object} carries a statement that cannot be read: ${migration.ddl.slice(0, 200)}`,
  });
