import type { TableDefinition } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { keyOfDefinition, kindOfDefinition } from './definition-key.ts';
import { keyAffinities } from './stored-key.ts';

/** Whether rows keep their identity and place: the same key columns, stored and compared alike, rowids of the same kind. */
export function keepsIdentity(current: TableDefinition, target: TableDefinition): boolean {
  const identityOf = (table: TableDefinition): string => {
    const key = keyOfDefinition(table);
    const affinities = keyAffinities(table, key);
    const parts = key.map(
      ({ name, collation }, place) =>
        `${foldIdentifier(name)} ${collation.toUpperCase()} ${affinities[place] ?? ''}`,
    );
    return JSON.stringify([kindOfDefinition(table), parts]);
  };
  return identityOf(current) === identityOf(target);
}
