import type { MigrationType } from '#shared/model/vocabulary.ts';

/**
 * What of an element a migration sets. Each has a clock of its own, so that different alterations of one element
 * made at the same time both survive.
 */
export type Register = 'existence' | 'name' | 'primaryKey' | 'shape' | ColumnRegister;

export type ColumnRegister = 'dataType' | 'notNull' | 'default' | 'collation';

/** What an alter_column does, as its statement says it. */
export type ColumnAlteration =
  'setDataType' | 'setNotNull' | 'dropNotNull' | 'setDefault' | 'dropDefault' | 'setCollation';

const registerByAlteration: Readonly<Record<ColumnAlteration, ColumnRegister>> = {
  setDataType: 'dataType',
  setNotNull: 'notNull',
  dropNotNull: 'notNull',
  setDefault: 'default',
  dropDefault: 'default',
  setCollation: 'collation',
};

/** The register that a migration sets. `alteration` is asked of alter_column alone. */
export function registerOf(
  type: Exclude<MigrationType, 'alter_column'> | { readonly alteration: ColumnAlteration },
): Register {
  if (typeof type === 'object') return registerByAlteration[type.alteration];
  switch (type) {
    case 'rename_table':
    case 'rename_column':
    case 'rename_constraint':
      return 'name';
    case 'alter_primary_key':
      return 'primaryKey';
    case 'redefine_table':
      return 'shape';
    default:
      return 'existence';
  }
}
