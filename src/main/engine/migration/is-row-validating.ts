import type { MigrationType } from '#shared/model/vocabulary.ts';

import type { ColumnAlteration } from './register.ts';

/** What must be known of a migration to tell whether it checks rows. */
export interface ValidationFacts {
  readonly type: MigrationType;
  /** Of alter_column: what it does. */
  readonly alteration: ColumnAlteration | null;
  /** Of create_index: whether it is UNIQUE. */
  readonly isUnique: boolean;
  /** Whether the table is STRICT. */
  readonly isStrict: boolean;
  /** Of set collate and alter_primary_key; see `canMakeKeysEqual`. */
  readonly canMakeKeysEqual: boolean;
}

/** Whether rows can break a migration, so that those of its unit come first. */
export function isRowValidating(facts: ValidationFacts): boolean {
  switch (facts.type) {
    case 'add_constraint':
      return true;
    case 'alter_primary_key':
      return facts.canMakeKeysEqual;
    case 'create_index':
      return facts.isUnique;
    case 'alter_column':
      return isValidatingAlteration(facts);
    default:
      return false;
  }
}

function isValidatingAlteration({ alteration, isStrict, canMakeKeysEqual }: ValidationFacts): boolean {
  if (alteration === 'setNotNull') return true;
  if (alteration === 'setDataType') return isStrict;
  return alteration === 'setCollation' && canMakeKeysEqual;
}
