import type { FleetReplica } from '#shared/api/fleet-replica.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import { listed } from '../../ui/sentence-model.ts';
import type { NamePart, Sentence } from '../../ui/sentence-model.ts';
import { counted } from '../../ui/words-model.ts';

/** Held changes of one replica, object and reason. */
export interface HeldRow {
  readonly ref: string;
  readonly name: string;
  readonly table: string;
  readonly reason: HeldReason;
  readonly rows: number;
}

interface HeldAnswer {
  readonly holder: FleetReplica;
  readonly counts: readonly { readonly table: string; readonly reason: HeldReason; readonly rows: number }[];
}

/** Object by object, the largest first. */
export function heldRows(answers: readonly HeldAnswer[]): readonly HeldRow[] {
  return answers
    .flatMap(({ holder, counts }) =>
      counts.map((count) => ({ ...count, ref: holder.ref, name: holder.name })),
    )
    .sort((a, b) => a.table.localeCompare(b.table) || b.rows - a.rows);
}

/** `38 changes are held on till-5.` */
export function heldHeadline(holders: readonly FleetReplica[]): Sentence {
  const rows = holders.reduce((sum, holder) => sum + holder.heldRows, 0);
  const names = holders.map((holder): NamePart => ({
    name: holder.name,
    to: { screen: 'replica', ref: holder.ref, tab: 'held' },
  }));
  return [`${counted(rows, 'change')} ${rows === 1 ? 'is' : 'are'} held on `, ...listed(names), '.'];
}
