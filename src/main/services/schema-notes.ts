import type { ActivityEntry } from '#shared/api/activity-procedures.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { SchemaEvent } from '#shared/model/schema-event.ts';

export interface SchemaNote {
  readonly kind: Extract<ActivityEntry['kind'], 'schemaDecided' | 'migrationsAdmitted'>;
  readonly facts: ActivityEntry['facts'];
}

/** Of more that came at once, such as the catalog of a first sync, only what needs reading is told one by one. */
const TOLD_ONE_BY_ONE_MAX = 20;

/**
 * What the list of what happened says of decisions about schema changes. A conflict is not among them: the list says who
 * is blocked.
 */
export function schemaNotes(
  events: readonly SchemaEvent[],
  nameOf: (site: SiteId) => string,
): readonly SchemaNote[] {
  const decided = events.filter(({ verdict }) => verdict !== 'conflict');
  if (decided.length <= TOLD_ONE_BY_ONE_MAX) return decided.map((event) => noteOf(event, nameOf));
  const warnings = decided.filter(({ verdict }) => verdict === 'convergedWithWarning');
  const told = warnings.slice(0, TOLD_ONE_BY_ONE_MAX);
  const from = decided.find((event) => event.from !== null)?.from ?? null;
  return [
    ...told.map((event) => noteOf(event, nameOf)),
    {
      kind: 'migrationsAdmitted',
      facts: { migrations: decided.length - told.length, peer: from === null ? null : nameOf(from) },
    },
  ];
}

function noteOf(event: SchemaEvent, nameOf: (site: SiteId) => string): SchemaNote {
  const { verdict, type, object, element, origin, from, reason } = event;
  return {
    kind: 'schemaDecided',
    facts: {
      verdict,
      type,
      object,
      element,
      origin: origin === null ? null : nameOf(origin),
      peer: from === null ? null : nameOf(from),
      reason,
    },
  };
}
