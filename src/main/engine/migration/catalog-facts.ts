import type { MigrationId } from '#shared/model/ids.ts';
import type { ObjectKind } from '#shared/model/vocabulary.ts';

import type { ColumnRegister } from './register.ts';

// What the catalog of this replica says about the element of an arriving migration, read once by the caller: plain
// answers, no database. Comparisons were made by src/main/sql. `object` is the table, index, view or trigger by the
// name that it has here, for messages.

/** What stands under the name that a creation wants. */
export type Standing =
  | { readonly kind: 'absent' }
  /** Tables, indexes and views share their names. */
  | { readonly kind: 'otherObject'; readonly object: ObjectKind }
  | {
      readonly kind: 'sameObject';
      /** Equal to the definition it was created with, or to the one that it has now. */
      readonly isEqual: boolean;
      /** Canonical text of what is here. */
      readonly local: string;
    };

/** A table: compared in everything but the order of columns and the names of unnamed constraints. */
export interface CreateTableFacts {
  readonly type: 'create_table';
  readonly object: string;
  readonly standing: Standing;
  /** Canonical text of what arrives. */
  readonly remote: string;
}

export interface CreateIndexFacts {
  readonly type: 'create_index';
  readonly object: string;
  readonly standing: Standing;
  readonly remote: string;
  /** What it is made on and is not here. */
  readonly missing: 'table' | 'column' | null;
  readonly isUnique: boolean;
}

export interface CreateViewOrTriggerFacts {
  readonly type: 'create_view' | 'create_trigger';
  readonly object: string;
  readonly standing: Standing;
  readonly remote: string;
  /** Whether it refers to something that is not here. */
  readonly isParked: boolean;
}

export interface DropFacts {
  readonly type:
    'drop_table' | 'drop_column' | 'drop_constraint' | 'drop_index' | 'drop_view' | 'drop_trigger';
  readonly object: string;
  readonly isPresent: boolean;
}

/** How the element that is renamed was found, by its ID wherever the producer gave one. */
export type RenamedElement =
  /** Here, under this name. */
  | { readonly kind: 'here'; readonly name: string }
  | { readonly kind: 'absent' }
  /** The producer gave neither an ID nor the old name. */
  | { readonly kind: 'unnamed' };

export interface RenameFacts {
  readonly type: 'rename_table' | 'rename_column' | 'rename_constraint';
  readonly object: string;
  readonly element: RenamedElement;
  readonly newName: string;
  /** Whether the element has the new name already. */
  readonly isRenamed: boolean;
  /** Another object (of a column: another column) that has the new name. */
  readonly occupant: string | null;
  /** Whether the producer gave no ID: then the names alone decide. */
  readonly isByName: boolean;
}

export interface AddColumnFacts {
  readonly type: 'add_column';
  readonly object: string;
  readonly column: string;
  readonly isTablePresent: boolean;
  readonly standing: ColumnStanding;
}

export type ColumnStanding =
  | { readonly kind: 'absent' }
  /** A column that came to the name by a rename, or from elsewhere: no twin. */
  | { readonly kind: 'movedHere' }
  | {
      readonly kind: 'present';
      readonly hasSameLogicalType: boolean;
      /** Types as declared: here, and as they arrive. */
      readonly localType: string;
      readonly remoteType: string;
      /** The migration that gave the column the type that it has here. */
      readonly typedBy: MigrationId;
      /** Whether the arriving migration is later than that one. */
      readonly isLater: boolean;
      /** Registers that differ, and of which the arriving migration is later than what is here. */
      readonly laterRegisters: readonly ColumnRegister[];
    };

export interface AddConstraintFacts {
  readonly type: 'add_constraint';
  readonly object: string;
  readonly isTablePresent: boolean;
  /** One of the same name; of an unnamed one an equal one. */
  readonly isPresent: boolean;
}

export interface AlterColumnFacts {
  readonly type: 'alter_column';
  readonly object: string;
  readonly missing: 'table' | 'column' | null;
  /** Whether the local value equals the target. */
  readonly isEqual: boolean;
  readonly validatesRows: boolean;
}

export interface ReshapeFacts {
  readonly type: 'alter_primary_key' | 'redefine_table';
  readonly object: string;
  readonly isTablePresent: boolean;
  /** Same columns and directions of the key; same shape. */
  readonly isEqual: boolean;
  readonly validatesRows: boolean;
}

export type CatalogFacts =
  | CreateTableFacts
  | CreateIndexFacts
  | CreateViewOrTriggerFacts
  | DropFacts
  | RenameFacts
  | AddColumnFacts
  | AddConstraintFacts
  | AlterColumnFacts
  | ReshapeFacts;
