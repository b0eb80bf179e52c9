import type { TriggerDefinition } from './ast.ts';
import { canonicalExpression, comparableExpression } from './canonical-expression.ts';
import { comparableText, describeColumns } from './compare-views.ts';
import { concludeComparison } from './compare/conclude-comparison.ts';
import { compareDescriptions, describeName, type Description, type Facet } from './compare/facet.ts';
import type { Comparison } from './comparison.ts';
import { foldIdentifier } from './fold-identifier.ts';

/**
 * Compares two triggers by table, moment, condition and body, statement by statement, and says what differs, or by
 * which rules they are the same. The columns of UPDATE OF are a set.
 */
export function compareTriggers(left: TriggerDefinition, right: TriggerDefinition): Comparison {
  const { differences, rules } = compareDescriptions(describeTrigger(left), describeTrigger(right));
  return concludeComparison(differences, rules);
}

/** Writes what `compareTriggers` compares as one text, equal for equal triggers. Made for hashing, not for people. */
export function comparableTrigger(trigger: TriggerDefinition): string {
  return comparableText(describeTrigger(trigger));
}

function describeTrigger(trigger: TriggerDefinition): Description {
  const columns = trigger.columns.toSorted((left, right) =>
    foldIdentifier(left) < foldIdentifier(right) ? -1 : 1,
  );
  return {
    facets: [
      describeName('name', trigger.name),
      describeName('table', trigger.table),
      word('time', trigger.time),
      word('event', trigger.event),
      ...describeColumns(columns),
      ...(trigger.when === undefined ? [] : [describeSql('when', '', trigger.when)]),
      ...trigger.body.map((statement, at) => describeSql('body', String(at + 1), statement)),
    ],
    remarks: [],
  };
}

function word(kind: 'time' | 'event', value: string): Facet {
  const text = value === 'insteadOf' ? 'INSTEAD OF' : value.toUpperCase();
  return { kind, key: '', value, subject: '', text: () => text };
}

function describeSql(kind: 'when' | 'body', key: string, sql: string): Facet {
  return {
    kind,
    key,
    value: comparableExpression(sql),
    subject: key,
    text: () => canonicalExpression(sql),
    source: sql,
  };
}
