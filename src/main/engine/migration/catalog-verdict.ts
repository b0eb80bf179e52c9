import type { MigrationId } from '#shared/model/ids.ts';
import type { BlockCause } from '#shared/model/vocabulary.ts';

import type { ColumnRegister } from './register.ts';

/** What the catalog of a receiver makes of a migration. */
export type CatalogVerdict =
  | { readonly verdict: 'execute'; readonly step: ExecutionStep }
  | { readonly verdict: 'waitForRows' }
  | { readonly verdict: 'alreadyApplied' }
  | { readonly verdict: 'superseded'; readonly by: MigrationId }
  | { readonly verdict: 'convergeWithWarning'; readonly reason: WarningReason }
  | DefinitionConflict;

export type ExecutionStep =
  /** The migration's own statement, rendered with this replica's names. */
  | { readonly kind: 'run' }
  /** What is there under the name goes first. Views and triggers only. */
  | { readonly kind: 'replace' }
  /** The column stays; these of its registers take the arriving values. */
  | { readonly kind: 'adopt'; readonly registers: readonly ColumnRegister[] };

/** Why a migration was recorded and nothing run. */
export type WarningReason =
  'tableAbsent' | 'columnAbsent' | 'elementAbsent' | 'parked' | 'sourceUnnamed' | 'blankDdl';

/** What only a person resolves. */
export interface DefinitionConflict {
  readonly verdict: 'conflict';
  readonly cause: Extract<BlockCause, 'divergentDefinition' | 'columnType' | 'nameCollision'>;
  readonly object: string;
  readonly column: string | null;
  /** What is here, and what arrives: definitions, types or names. */
  readonly left: string;
  readonly right: string;
}

export const RUN: CatalogVerdict = { verdict: 'execute', step: { kind: 'run' } };

export const ALREADY_APPLIED: CatalogVerdict = { verdict: 'alreadyApplied' };

/** A migration that is recorded, and nothing run. */
export const warn = (reason: WarningReason): CatalogVerdict => ({ verdict: 'convergeWithWarning', reason });
