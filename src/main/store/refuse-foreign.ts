import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';

import { migrationTypeOf } from '../engine/migration/migration-type-of.ts';
import type { DdlStatement } from '../sql/ast.ts';
import { checkPeerStatement } from '../sql/check-peer-statement.ts';
import { splitStatements } from '../sql/split-statements.ts';
import { AdmissionRefused } from './admission-refused.ts';

/**
 * Refuses a unit that carries what a peer may not run: anything but one statement of DDL on user objects, of the kind that
 * the migration says it is. Asked of all of a unit before any of it is recorded. Blank statements pass: nothing is run.
 */
export function refuseForeignStatements(migrations: readonly Migration[]): void {
  for (const migration of migrations) {
    if (splitStatements(migration.ddl).length === 0) continue;
    const checked = checkPeerStatement(migration.ddl);
    if (!checked.ok) throw refusalOf(migration, checked.error.code);
    if (!isOfType(checked.value, migration.type)) throw refusalOf(migration, 'another kind of statement');
  }
}

const refusalOf = ({ type, object, kind, ddl }: Migration, reason: string): AdmissionRefused =>
  new AdmissionRefused({
    cause: 'refusedStatement',
    object,
    kind,
    message: `The peer's ${type} of ${object} carries a statement that a peer may not run (${reason}): ${ddl.slice(0, 200)}`,
  });

function isOfType(statement: DdlStatement, type: MigrationType): boolean {
  if (statement.kind === 'alterTable') return migrationTypeOf(statement.action) === type;
  return STATEMENTS[type] === statement.kind;
}

const STATEMENTS: Partial<Record<MigrationType, DdlStatement['kind']>> = {
  create_table: 'createTable',
  drop_table: 'dropTable',
  redefine_table: 'createTable',
  create_index: 'createIndex',
  drop_index: 'dropIndex',
  create_view: 'createView',
  drop_view: 'dropView',
  create_trigger: 'createTrigger',
  drop_trigger: 'dropTrigger',
};
