import type { JsonSqlValue } from '#shared/model/sql-value.ts';
import type { MigrationView } from '#shared/model/views.ts';

import { valueText } from '#shared/model/sql-value-text.ts';
import { VERDICT_LOOK } from '../../ui/verdict-look.ts';
import type { HistoryWish } from './replica-queries.ts';

/** `create table orders`, `add column orders.tier`. */
export function migrationTitle({
  type,
  object,
  element,
}: Pick<MigrationView, 'type' | 'object' | 'element'>): string {
  const name = element === null || element === '' ? object : `${object}.${element}`;
  return `${type.replaceAll('_', ' ')} ${name}`;
}

/** Why the history shows nothing. */
export function emptyHistory({ verdict, object }: HistoryWish): string {
  if (verdict === null && object === null) return 'No migration was recorded or admitted here yet.';
  const whose = object === null ? '' : ` of ${object}`;
  const which = verdict === null ? '' : ` with the verdict “${VERDICT_LOOK[verdict].word}”`;
  return `The history has no migration${whose}${which}.`;
}

/** A key of one or more columns. */
export function keyText(key: readonly JsonSqlValue[]): string {
  return key.map(valueText).join(', ');
}

/** `name 'Ada', total 12.5`: the values of a held change in one line. */
export function heldValuesText(values: Readonly<Record<string, JsonSqlValue>>): string {
  return Object.entries(values)
    .map(([column, value]) => `${column} ${valueText(value)}`)
    .join(', ');
}
