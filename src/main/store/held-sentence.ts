import type { JsonSqlValue } from '#shared/model/sql-value.ts';

import { viewHeld } from './held-list.ts';
import { rowsIn, type SelectedChange } from './held-selection.ts';
import type { ReplicaStore } from './replica-store.ts';

/** Keys that a sentence names one by one. */
const KEYS_MAX = 20;

/** What some held changes of one table are, for people and for the journal: `3 changes of 2 rows of note (unknownTable), 210 bytes: keys 1, 2`. */
export function heldSentence(
  store: Pick<ReplicaStore, 'db' | 'sites'>,
  table: string,
  changes: readonly SelectedChange[],
): string {
  const reasons = [...new Set(changes.map(({ reason }) => reason))].join(', ');
  const bytes = changes.reduce((sum, change) => sum + change.bytes, 0);
  const rows = rowsIn(changes);
  const keys = keysOf(store, changes);
  const more = rows > keys.length ? ` and ${String(rows - keys.length)} more` : '';
  const named = keys.length === 0 ? '' : `: ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}${more}`;
  return `${counted(changes.length, 'change')} of ${counted(rows, 'row')} of ${table} (${reasons}), ${counted(bytes, 'byte')}${named}`;
}

function keysOf(
  store: Pick<ReplicaStore, 'db' | 'sites'>,
  changes: readonly SelectedChange[],
): readonly string[] {
  const first = new Map<string, number>();
  for (const { row, n, isMigration } of changes) {
    if (first.size === KEYS_MAX) break;
    if (!isMigration && !first.has(row)) first.set(row, n);
  }
  return [...first.values()].flatMap((n) => {
    const view = viewHeld(store, n);
    return view === null ? [] : [keyText(view.key)];
  });
}

const keyText = (key: readonly JsonSqlValue[]): string =>
  key.length === 1 ? JSON.stringify(key[0]) : `(${key.map((part) => JSON.stringify(part)).join(', ')})`;

const counted = (count: number, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`;
