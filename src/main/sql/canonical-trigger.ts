import type { TriggerDefinition } from './ast.ts';
import { layOutTrigger } from './canonical/lay-out-trigger.ts';
import { READABLE } from './canonical/style.ts';

/** Writes the trigger as CREATE TRIGGER for people. The text of what is parsed from it is the text itself. */
export function canonicalTrigger(trigger: TriggerDefinition): string {
  return layOutTrigger(trigger, READABLE);
}
