export type ConstraintFailure = 'notNull' | 'unique' | 'check' | 'foreignKey' | 'dataType';

/** Which constraint a failed statement broke, by SQLite's extended result code; null for any other failure. */
export function constraintOf(cause: unknown): ConstraintFailure | null {
  switch (sqliteCodeOf(cause)) {
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return 'notNull';
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_ROWID':
      return 'unique';
    case 'SQLITE_CONSTRAINT_CHECK':
      return 'check';
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return 'foreignKey';
    case 'SQLITE_CONSTRAINT_DATATYPE':
      return 'dataType';
    default:
      return null;
  }
}

/** The result code that better-sqlite3 puts on its errors; undefined for errors of another kind. */
export function sqliteCodeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' && cause.code.startsWith('SQLITE_') ? cause.code : undefined;
}
