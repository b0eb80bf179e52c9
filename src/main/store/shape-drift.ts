import type { TableId } from '#shared/model/ids.ts';

import type { Drift } from '../engine/shape/drift-of.ts';
import type { ReplicaStore } from './replica-store.ts';
import { readDepartures, readDrift } from './settle-table.ts';
import { endFinding, writeFinding } from './write-finding.ts';

/** Brings the findings of a table up to where it differs from its record without harm. */
export function noteDrift(store: ReplicaStore, id: TableId | null): void {
  const table = id === null ? null : store.registry.byId(id);
  if (typeof table?.name !== 'string') return;
  const drift = readDrift(store, table);
  const subjects = new Set(drift.map(subjectOf));
  for (const subject of subjectsNoted(store, table.name)) {
    if (!subjects.has(subject)) endFinding(store, { kind: 'drift', table: table.name, subject });
  }
  for (const one of drift) {
    writeFinding(store, {
      kind: 'drift',
      table: table.name,
      subject: subjectOf(one),
      detail: detailOf(table.name, one),
      advice:
        'It does no harm and blocks nothing. Drop and add the constraint through Concord to have it alike everywhere.',
    });
  }
}

const LABELS: Readonly<Record<Drift['what'], string>> = {
  check: 'CHECK',
  references: 'REFERENCES',
  constraintName: 'name of a constraint',
};

const subjectOf = ({ column, what, local, wanted }: Drift): string =>
  `${LABELS[what]}${column === null ? '' : ` of ${column}`}: ${local ?? wanted ?? ''}`;

function detailOf(table: string, { what, local, wanted }: Drift): string {
  if (what === 'constraintName')
    return `A constraint of ${table} is called ${local ?? 'nothing'} here and ${wanted ?? 'nothing'} elsewhere.`;
  return local === null
    ? `${table} has ${wanted ?? ''} elsewhere, and does not here.`
    : `${table} has ${local} here, and does not elsewhere.`;
}

/** Only those that this module writes: other drift has other causes, and other ends. */
const subjectsNoted = (store: ReplicaStore, table: string): readonly string[] =>
  store.db
    .preparePluck<[string], string>(`select subject from _concord_finding where kind = 'drift' and tbl = ?`)
    .all(table)
    .filter((subject) =>
      Object.values(LABELS).some(
        (label) => subject.startsWith(`${label}:`) || subject.startsWith(`${label} of `),
      ),
    );

/** One sentence per table whose file does not follow its record. */
export function checkShapes(store: ReplicaStore): readonly string[] {
  return store.registry.all().flatMap((table) => {
    const departures = table.name === null ? [] : readDepartures(store, table);
    return departures.length === 0
      ? []
      : [`The table ${table.name ?? ''} is not what its record says: ${departures.join(', ')}.`];
  });
}
