import { splitStatements } from '#main/sql/split-statements.ts';

import type { Place } from './presence.ts';

const DDL = /^\s*(?:create|drop|alter|begin|commit|end|savepoint|release)\b/i;
const DROP_TABLE = /^\s*drop\s+table\s+(?:if\s+exists\s+)?"?(\w+)"?/i;
const DROP_COLUMN = /^\s*alter\s+table\s+"?(\w+)"?\s+drop\s+(?:column\s+)?"?(\w+)"?\s*$/i;

/** Which values statements may take away: DDL takes those of the table or column that it drops, everything else any. */
export function mayTakeAway(sql: string): (place: Place) => boolean {
  const statements = splitStatements(sql).map(({ text }) => text);
  if (!statements.every((text) => DDL.test(text)) || statements.length > 1) return () => true;
  const tables = new Set<string>();
  const columns = new Set<string>();
  for (const text of statements) {
    const table = DROP_TABLE.exec(text);
    const column = DROP_COLUMN.exec(text);
    if (table !== null) tables.add((table[1] ?? '').toLowerCase());
    if (column !== null) columns.add(`${column[1] ?? ''}.${column[2] ?? ''}`.toLowerCase());
  }
  return (place) => {
    // What waits for a column of the table goes with it.
    if (place.kind === 'held') return tables.has(place.held.table.toLowerCase());
    const table = place.table.name.toLowerCase();
    const column = place.table.columns[place.column]?.name.toLowerCase() ?? '';
    return tables.has(table) || columns.has(`${table}.${column}`);
  };
}
