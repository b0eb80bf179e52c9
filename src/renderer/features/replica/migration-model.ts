import type { JsonSqlValue } from '#shared/model/sql-value.ts';
import type { MigrationView } from '#shared/model/views.ts';
import type { ReplicaState, Verdict } from '#shared/model/vocabulary.ts';

import { valueText } from '../../ui/sql-value-model.ts';

/** How a verdict over a migration is drawn and said. */
export const VERDICT_LOOK: Readonly<
  Record<Verdict, { readonly state: ReplicaState; readonly word: string }>
> = {
  executed: { state: 'inSync', word: 'executed' },
  alreadyApplied: { state: 'inSync', word: 'already applied' },
  superseded: { state: 'inSync', word: 'superseded' },
  convergedWithWarning: { state: 'behind', word: 'converged, with a warning' },
  conflict: { state: 'blocked', word: 'conflict' },
  waitingForRows: { state: 'behind', word: 'waits for rows' },
};

/** `create table orders`, `add column orders.tier`. */
export function migrationTitle({
  type,
  object,
  element,
}: Pick<MigrationView, 'type' | 'object' | 'element'>): string {
  const name = element === null || element === '' ? object : `${object}.${element}`;
  return `${type.replaceAll('_', ' ')} ${name}`;
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
