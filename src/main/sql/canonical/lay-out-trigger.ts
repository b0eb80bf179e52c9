import type { TriggerDefinition } from '../ast.ts';
import { canonicalExpression } from '../canonical-expression.ts';
import type { Style } from './style.ts';

const TIMES = { before: 'BEFORE', after: 'AFTER', insteadOf: 'INSTEAD OF' } as const;

/** Writes CREATE TRIGGER, each statement of its body on a line of its own. */
export function layOutTrigger(
  trigger: TriggerDefinition,
  { nameOf }: Style,
  head = 'CREATE TRIGGER ',
): string {
  const columns = trigger.columns.length === 0 ? '' : ` OF ${trigger.columns.map(nameOf).join(', ')}`;
  const event = `${TIMES[trigger.time]} ${trigger.event.toUpperCase()}${columns}`;
  return [
    `${head}${nameOf(trigger.name)} ${event} ON ${nameOf(trigger.table)}`,
    ...(trigger.when === undefined ? [] : [`  WHEN ${canonicalExpression(trigger.when)}`]),
    'BEGIN',
    ...trigger.body.map((statement) => `  ${canonicalExpression(statement)};`),
    'END',
  ].join('\n');
}
