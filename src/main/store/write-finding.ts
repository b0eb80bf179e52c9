import type { FindingKind } from '#shared/model/vocabulary.ts';

import type { ReplicaStore } from './replica-store.ts';

export interface NewFinding {
  readonly kind: FindingKind;
  readonly table: string;
  /** The column, key or constraint meant; '' for the whole table. */
  readonly subject: string;
  readonly detail: string;
  readonly advice: string;
}

/** Notes something that a person should know and that blocks nothing; the same again is one entry. */
export function writeFinding(store: Pick<ReplicaStore, 'db' | 'ports'>, finding: NewFinding): void {
  store.db
    .prepare<unknown[]>(
      `insert into _concord_finding (kind, tbl, subject, detail, advice, since_ms) values (?, ?, ?, ?, ?, ?)
       on conflict (kind, tbl, subject) do update set detail = excluded.detail, advice = excluded.advice`,
    )
    .run(
      finding.kind,
      finding.table,
      finding.subject,
      finding.detail,
      finding.advice,
      BigInt(store.ports.clock.nowMs()),
    );
}

/** A finding ends when its cause does. */
export function endFinding(
  store: Pick<ReplicaStore, 'db'>,
  { kind, table, subject }: Pick<NewFinding, 'kind' | 'table' | 'subject'>,
): void {
  store.db
    .prepare<unknown[]>('delete from _concord_finding where kind = ? and tbl = ? and subject = ?')
    .run(kind, table, subject);
}
