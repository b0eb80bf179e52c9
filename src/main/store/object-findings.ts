import type { FindingKind } from '#shared/model/vocabulary.ts';

import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import type { BodiesAtWork } from './bodies-at-work.ts';
import type { BodyObject } from './recorded-objects.ts';
import type { ReplicaStore } from './replica-store.ts';
import { endFinding, writeFinding } from './write-finding.ts';

interface FindingRow {
  readonly kind: FindingKind;
  readonly tbl: string;
  readonly subject: string;
}

/**
 * Says by name which virtual tables stay on this replica, and ends what was found of views, triggers and virtual tables that
 * are no more. Runs once views and triggers are settled. `changed`: what changed, where the caller knows it.
 */
export function settleObjectFindings(work: BodiesAtWork, changed?: ReadonlySet<string>): void {
  const { store } = work;
  const known = store.db
    .prepare<[], FindingRow>(
      `select kind, tbl, subject from _concord_finding where kind in ('localOnly', 'broken', 'parked', 'trigger')`,
    )
    .all();
  const isSameLocal =
    changed !== undefined &&
    ![...changed].some((name) => work.localOnly.has(name) || known.some(({ tbl }) => isSameName(tbl, name)));
  const local = isSameLocal ? null : virtualTables(work);
  for (const name of local ?? []) {
    writeFinding(store, {
      kind: 'localOnly',
      table: name,
      subject: '',
      detail: `${name} is a virtual table: it and what it keeps its content in stay on this replica.`,
      advice: `A replica that wants it makes its own ${name}; triggers that fill it then come back there by themselves.`,
    });
  }
  for (const row of known) {
    if (!isStillSo(work, row, local)) endFinding(store, { ...row, table: row.tbl });
  }
}

/** Whether one of these objects has been found to be parked, broken or here alone. */
export function hasFindingsOf({ db }: Pick<ReplicaStore, 'db'>, names: ReadonlySet<string>): boolean {
  return db
    .preparePluck<[], string>(
      `select tbl from _concord_finding where kind in ('localOnly', 'broken', 'parked', 'trigger')`,
    )
    .all()
    .some((name) => names.has(foldIdentifier(name)));
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

/** `local`: the virtual tables; null where they are those that were found before. */
function isStillSo(work: BodiesAtWork, finding: FindingRow, local: readonly string[] | null): boolean {
  const { kind, tbl, subject } = finding;
  const name = foldIdentifier(tbl);
  switch (kind) {
    case 'localOnly':
      return local?.includes(tbl) ?? true;
    case 'trigger':
      return work.triggers.has(foldIdentifier(subject));
    case 'parked':
      return work.store.objects.get(bodyKindOf(subject), name)?.text === null;
    default:
      return isUnrecorded(work, bodyKindOf(subject), name);
  }
}

const bodyKindOf = (subject: string): BodyObject['kind'] => (subject === 'view' ? 'view' : 'trigger');

/** In the file, and not in the record. */
const isUnrecorded = (
  { store, views, triggers }: BodiesAtWork,
  kind: BodyObject['kind'],
  name: string,
): boolean => (kind === 'view' ? views : triggers).has(name) && store.objects.get(kind, name) === null;
