import type { BlockedBrief, FleetReplica } from '#shared/api/fleet-replica.ts';

import type { GridEntry } from '../../ui/grid-model.ts';
import { joinedClauses } from '../../ui/sentence-model.ts';
import type { Sentence } from '../../ui/sentence-model.ts';
import type { Verdict } from '../../ui/verdict-line.tsx';
import { counted, number, numberWord } from '../../ui/words-model.ts';

/** One blocked batch of one replica. */
export interface BlockedRow {
  readonly ref: string;
  readonly name: string;
  readonly brief: BlockedBrief;
}

interface Conflict {
  readonly object: string;
  readonly kind: string;
  readonly rows: readonly BlockedRow[];
}

/** Blocks of one conflict under one head, the conflict that stops most first. */
export function blockedEntries(replicas: readonly FleetReplica[]): readonly GridEntry<BlockedRow>[] {
  return conflicts(replicas).flatMap(([id, { kind, object, rows }]) => [
    {
      kind: 'group',
      key: id,
      label: `${kind} ${object}`,
      note: `${counted(rows.length, 'block')}, one decision`,
    } as const,
    ...rows.map((row) => ({ kind: 'row', row }) as const),
  ]);
}

/** What the list opens with; null when nothing is blocked. */
export function blockedListVerdict(replicas: readonly FleetReplica[]): Verdict | null {
  const open = conflicts(replicas);
  if (open.length === 0) return null;
  const batches = open.reduce((sum, [, { rows }]) => sum + rows.length, 0);
  const behind = open.reduce(
    (sum, [, { rows }]) => sum + rows.reduce((all, row) => all + row.brief.behindChanges, 0),
    0,
  );
  const clauses = open.map(([, { object, rows }]): Sentence => [
    { name: object },
    ` stops ${stoppedWords(rows)}`,
  ]);
  const decisions =
    open.length === 1 ? 'One decision frees them all' : `${numberWord(open.length)} decisions free them all`;
  const verb = batches === 1 ? 'waits' : 'wait';
  return {
    state: 'blocked',
    headline: [
      `${counted(batches, 'batch', 'batches')} ${verb} for you: `,
      ...joinedClauses(clauses.slice(0, 3)),
      '.',
    ],
    consequence: [
      `${decisions}. ${number(behind)} ${behind === 1 ? 'change waits' : 'changes wait'} behind them.`,
    ],
  };
}

/** A replica may be blocked on one conflict in the lines of several peers. */
function stoppedWords(rows: readonly BlockedRow[]): string {
  const stopped = new Set(rows.map(({ ref }) => ref)).size;
  return stopped === 1 ? (rows[0]?.name ?? '') : `${stopped} replicas`;
}

function conflicts(replicas: readonly FleetReplica[]): readonly (readonly [string, Conflict])[] {
  const byId = new Map<string, Conflict>();
  for (const { ref, name, blocked } of replicas) {
    for (const brief of blocked) {
      const before = byId.get(brief.conflictId);
      const rows = [...(before?.rows ?? []), { ref, name, brief }];
      byId.set(brief.conflictId, { object: brief.object, kind: brief.kind, rows });
    }
  }
  return [...byId].sort(([, a], [, b]) => b.rows.length - a.rows.length);
}
