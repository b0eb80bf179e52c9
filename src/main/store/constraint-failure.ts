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

/**
 * Whether a write failed because of what was to be written, so that another row may go in: a constraint, or a value that an
 * expression of the table cannot work with. A full disk or a damaged file is no such failure.
 */
export function isRefusedValue(cause: unknown): boolean {
  return constraintOf(cause) !== null || VALUE_CODES.has(sqliteCodeOf(cause) ?? '');
}

const VALUE_CODES: ReadonlySet<string> = new Set([
  'SQLITE_ERROR',
  'SQLITE_MISMATCH',
  'SQLITE_TOOBIG',
  'SQLITE_CONSTRAINT_TRIGGER',
  'SQLITE_CONSTRAINT_VTAB',
]);

/** The result code that better-sqlite3 puts on its errors; undefined for errors of another kind. */
export function sqliteCodeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' && cause.code.startsWith('SQLITE_') ? cause.code : undefined;
}
