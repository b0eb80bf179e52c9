import type { BlockCause, ObjectKind } from '#shared/model/vocabulary.ts';
import type { DefinitionDifference } from '#shared/model/views.ts';
import type { MigrationId, SiteId } from '#shared/model/ids.ts';

/** Why a unit was refused, and what a person needs to see. */
export interface Refusal {
  readonly cause: BlockCause;
  readonly object: string;
  readonly message: string;
  readonly kind?: ObjectKind;
  /** Where the cause lies in a peer: its site. */
  readonly about?: SiteId;
  readonly column?: string;
  /** The two migrations that contradict each other. */
  readonly migrations?: readonly [MigrationId, MigrationId];
  readonly localDdl?: string;
  readonly remoteDdl?: string;
  readonly differences?: readonly DefinitionDifference[];
}

/** Thrown inside an admission's transaction so that all of it rolls back; the shell turns it into a blocked batch. */
export class AdmissionRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'AdmissionRefused';
    this.refusal = refusal;
  }
}
