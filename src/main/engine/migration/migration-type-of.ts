import type { MigrationType } from '#shared/model/vocabulary.ts';

import type { AlterAction } from '../../sql/ast.ts';

const TYPES: Readonly<Record<AlterAction['kind'], MigrationType>> = {
  addColumn: 'add_column',
  dropColumn: 'drop_column',
  renameColumn: 'rename_column',
  renameTable: 'rename_table',
  setDataType: 'alter_column',
  setNotNull: 'alter_column',
  dropNotNull: 'alter_column',
  setDefault: 'alter_column',
  dropDefault: 'alter_column',
  setCollation: 'alter_column',
  addConstraint: 'add_constraint',
  dropConstraint: 'drop_constraint',
  dropUnnamedConstraint: 'drop_constraint',
  renameConstraint: 'rename_constraint',
  alterPrimaryKey: 'alter_primary_key',
};

/** The type of migration that an alteration is recorded as. */
export const migrationTypeOf = ({ kind }: AlterAction): MigrationType => TYPES[kind];
