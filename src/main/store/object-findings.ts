import type { FindingKind } from '#shared/model/vocabulary.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import type { BodiesAtWork } from './bodies-at-work.ts';
import { endFinding, writeFinding } from './write-finding.ts';

interface FindingRow {
  readonly kind: FindingKind;
  readonly tbl: string;
  readonly subject: string;
}

/**
 * Says by name which virtual tables stay on this replica, and ends what was found of views, triggers and virtual tables that
 * are no more. Runs once views and triggers are settled.
 */
export function settleObjectFindings(work: BodiesAtWork): void {
  const { store } = work;
  const virtual = virtualTables(work);
  for (const name of virtual) {
    writeFinding(store, {
      kind: 'localOnly',
      table: name,
      subject: '',
      detail: `${name} is a virtual table: it and what it keeps its content in stay on this replica.`,
      advice: `A replica that wants it makes its own ${name}; triggers that fill it then come back there by themselves.`,
    });
  }
  const rows = store.db
    .prepare<[], FindingRow>(
      `select kind, tbl, subject from _concord_finding where kind in ('localOnly', 'broken', 'parked', 'trigger')`,
    )
    .all();
  for (const row of rows) {
    if (!isStillSo(work, row, virtual)) endFinding(store, { ...row, table: row.tbl });
  }
}

/** They have no page of their own. */
function virtualTables({ store, localOnly }: BodiesAtWork): readonly string[] {
  if (localOnly.size === 0) return [];
  return store.db
    .preparePluck<[], string>(
      `select name from sqlite_schema where type = 'table' and rootpage = 0 order by name`,
    )
    .all();
}

function isStillSo(work: BodiesAtWork, finding: FindingRow, virtual: readonly string[]): boolean {
  const { kind, tbl, subject } = finding;
  const { store, views, triggers } = work;
  const name = foldIdentifier(tbl);
  switch (kind) {
    case 'localOnly':
      return virtual.includes(tbl);
    case 'trigger':
      return triggers.has(foldIdentifier(subject));
    case 'parked':
      return subject !== 'view' && subject !== 'trigger'
        ? false
        : store.objects.get(subject, name)?.text === null;
    default:
      return (
        (subject === 'view' ? views : triggers).has(name) &&
        store.objects.get(subject === 'view' ? 'view' : 'trigger', name) === null
      );
  }
}
