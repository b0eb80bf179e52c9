import type { MigrationId } from '#shared/model/ids.ts';

import type { CatalogFacts } from './catalog-facts.ts';
import { warn } from './catalog-verdict.ts';
import type { CatalogVerdict } from './catalog-verdict.ts';
import { gateCatalog } from './gate-catalog.ts';
import type { AdmissionPlace } from './gate-catalog.ts';
import { gateRecorded } from './gate-recorded.ts';
import type { RecordedFacts, RecordedVerdict } from './gate-recorded.ts';

export type MigrationVerdict =
  | CatalogVerdict
  | Exclude<RecordedVerdict, { readonly verdict: 'proceed' }>
  /** Runs, and an older view or trigger of the name shows again afterwards. */
  | { readonly verdict: 'executeAndReveal'; readonly creation: MigrationId };

export interface VerdictFacts {
  readonly recorded: RecordedFacts;
  /** Whether the migration has neither structure nor text: a hand-written seed may. */
  readonly isBlank: boolean;
  /** Read only when the record lets the migration through. */
  readonly readCatalog: () => CatalogFacts;
  readonly place: AdmissionPlace;
}

/**
 * Decides about one migration: first what is recorded, then what is there. Writes nothing, so that a unit that fails
 * gets the same verdicts when it is tried again.
 */
export function decideVerdict({ recorded, isBlank, readCatalog, place }: VerdictFacts): MigrationVerdict {
  const byRecord = gateRecorded(recorded);
  if (byRecord.verdict !== 'proceed') return byRecord;
  if (isBlank) return warn('blankDdl');
  const byCatalog = gateCatalog(readCatalog(), place);
  if (byCatalog.verdict !== 'execute' || byRecord.reveals === null) return byCatalog;
  return { verdict: 'executeAndReveal', creation: byRecord.reveals };
}
