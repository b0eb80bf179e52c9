import type { Migration } from '#shared/model/change-group.ts';

import type { ColumnAlteration } from '../engine/migration/register.ts';
import type { AlterAction, ColumnDefinition, IndexDefinition, TableDefinition } from '../sql/ast.ts';
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

/** What the ALTER TABLE that a migration carries does. */
export function actionOf(migration: Migration): AlterAction {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok && parsed.value.kind === 'alterTable') return parsed.value.action;
  throw unreadable(migration);
}

/** Which register of a column an alter_column sets; null where its statement cannot be read. */
export function alterationOf(migration: Migration): ColumnAlteration | null {
  const parsed = parseDdl(migration.ddl);
  if (!parsed.ok || parsed.value.kind !== 'alterTable') return null;
  const { kind } = parsed.value.action;
  return isColumnAlteration(kind) ? kind : null;
}

const isColumnAlteration = (kind: AlterAction['kind']): kind is ColumnAlteration =>
  kind === 'setDataType' ||
  kind === 'setNotNull' ||
  kind === 'dropNotNull' ||
  kind === 'setDefault' ||
  kind === 'dropDefault' ||
  kind === 'setCollation';

const unreadable = (migration: Migration): AdmissionRefused =>
  new AdmissionRefused({
    cause: 'refusedStatement',
    object: migration.object,
    kind: migration.kind,
    message: `The ${migration.type} of ${migration.object} carries a statement that cannot be read: ${migration.ddl.slice(0, 200)}`,
  });
