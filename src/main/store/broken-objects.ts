import type { DdlStatement } from '../sql/ast.ts';
import { whyNotStandingInFile } from './object-standing.ts';
import type { ReplicaStore } from './replica-store.ts';
import { endFinding, writeFinding } from './write-finding.ts';

/**
 * Whether a view or trigger that is in the file and not in the record is broken. Then it is the application's own affair: it
 * stays as it is and goes to nobody, which is a finding, until it stands. Indexes never are.
 */
export function isBroken(store: ReplicaStore, statement: DdlStatement): boolean {
  if (statement.kind !== 'createView' && statement.kind !== 'createTrigger') return false;
  const [kind, { name }] =
    statement.kind === 'createView'
      ? (['view', statement.view] as const)
      : (['trigger', statement.trigger] as const);
  const finding = { kind: 'broken', table: name, subject: kind } as const;
  const why = whyNotStandingInFile(store, statement);
  if (why === null) {
    endFinding(store, finding);
    return false;
  }
  writeFinding(store, {
    ...finding,
    detail: `The ${kind} ${name} is broken and stays on this replica: ${why.replace(/^error in (?:view|trigger) .*?: /, '')}. It makes SQLite refuse to rename or drop columns in this file.`,
    advice: `Make what ${name} refers to, or drop it.`,
  });
  return true;
}

/** Whether there are views or triggers that are recorded once they stand, which any change may bring about. */
export const hasBroken = ({ db }: Pick<ReplicaStore, 'db'>): boolean =>
  db.preparePluck<[]>(`select 1 from _concord_finding where kind = 'broken' limit 1`).get() !== undefined;
