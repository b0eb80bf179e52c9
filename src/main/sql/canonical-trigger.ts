import type { TriggerDefinition } from './ast.ts';
import { canonicalExpression } from './canonical-expression.ts';
import { renderName } from './render-name.ts';

const TIMES = { before: 'BEFORE', after: 'AFTER', insteadOf: 'INSTEAD OF' } as const;

/** Writes the trigger as CREATE TRIGGER for people. The text of what is parsed from it is the text itself. */
export function canonicalTrigger(trigger: TriggerDefinition): string {
  const columns = trigger.columns.length === 0 ? '' : ` OF ${trigger.columns.map(renderName).join(', ')}`;
  const event = `${TIMES[trigger.time]} ${trigger.event.toUpperCase()}${columns}`;
  return [
    `CREATE TRIGGER ${renderName(trigger.name)} ${event} ON ${renderName(trigger.table)}`,
    ...(trigger.when === undefined ? [] : [`  WHEN ${canonicalExpression(trigger.when)}`]),
    'BEGIN',
    ...trigger.body.map((statement) => `  ${canonicalExpression(statement)};`),
    'END',
  ].join('\n');
}
