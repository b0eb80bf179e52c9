import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { Output } from '#shared/api/types.ts';
import type { HeldExtent, HeldOutcome, HeldSelection } from '#shared/model/held-decision.ts';
import type { HeldView } from '#shared/model/views.ts';

import { HELD_REASON_WORDS } from '../../ui/held-words.ts';
import { listed } from '../../ui/sentence-model.ts';
import type { Sentence } from '../../ui/sentence-model.ts';
import { byteSize, counted } from '../../ui/words-model.ts';
import { keyText } from './migration-model.ts';
import { peerName } from './peers-model.ts';

type HeldCounts = Output<'replica.held'>['counts'];

/** Held changes that an action may be about. */
export interface HeldScope {
  readonly key: string;
  readonly label: string;
  /** The object that it is about; null where it may be about more. */
  readonly table: string | null;
  readonly selection: HeldSelection;
}

/** The chosen change, all, and each object with each reason. */
export function heldScopes(counts: HeldCounts, chosen: HeldView | null): readonly HeldScope[] {
  const groups = counts.map(({ table, reason, rows }) => ({
    key: `${table} ${reason}`,
    label: `${table}: ${HELD_REASON_WORDS[reason]} (${counted(rows, 'row')})`,
    table,
    selection: { table, reason },
  }));
  const one =
    chosen === null
      ? []
      : [
          {
            key: 'chosen',
            label: `The chosen change: ${chosen.table} ${keyText(chosen.key)}`,
            table: chosen.table,
            selection: { ids: [chosen.id] },
          },
        ];
  return [...one, { key: 'all', label: 'All that is held', table: null, selection: {} }, ...groups];
}

/** `4 changes of 3 rows of article and shelf, 312 bytes, written by kiosk.`: what a deletion would lose. */
export function extentSentence(
  { changes, rows, bytes, tables, authors }: HeldExtent,
  fleet: Fleet,
): Sentence {
  return [
    `${counted(changes, 'change')} of ${counted(rows, 'row')} of `,
    ...listed(tables.map((name) => ({ name }))),
    `, ${byteSize(bytes)}, written by `,
    ...listed(authors.map((site) => ({ name: peerName(site, fleet) }))),
    '.',
  ];
}

/** What an action did, in sentences: what went in, and why the rest did not. */
export function outcomeSentences(outcome: HeldOutcome): readonly string[] {
  const { action, changes, drained, detail, left } = outcome;
  if (changes === 0) return ['Nothing is held that could be drained.'];
  const done = {
    quarantine: `Quarantined: ${detail}. They stay held until they are released.`,
    release: `Released: ${detail}. ${counted(drained, 'change')} went in.`,
    drain: `${counted(drained, 'change')} of ${String(changes)} went in.`,
    delete: `Deleted: ${detail}. The journal has it.`,
  }[action];
  return [
    done,
    ...left.map(({ table, changes: count, why }) => `${counted(count, 'change')} of ${table}: ${why}`),
  ];
}
