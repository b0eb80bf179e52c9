import { err, type Refusal } from '#shared/result.ts';

export type AlterationErrorCode =
  | 'no-such-column'
  | 'no-such-constraint'
  | 'duplicate-column'
  | 'duplicate-constraint'
  /** A column of the primary key cannot go, and no column comes as one. */
  | 'key-column'
  /** A generated column, a CHECK, or a constraint with a name needs the column. */
  | 'column-in-use'
  /** A table has at least one column that is not generated. */
  | 'last-column'
  | 'unfit-type'
  | 'unfit-default'
  | 'unfit-key'
  | 'taken-name';

/** Why an alteration cannot be done to a table, whatever its rows are. */
export interface AlterationError {
  readonly code: AlterationErrorCode;
  /** The column or constraint that it is about. */
  readonly subject: string;
  /** A sentence as SQLite would say it, names in it. */
  readonly message: string;
}

export function refuseAlteration(
  code: AlterationErrorCode,
  subject: string,
  message: string,
): Refusal<AlterationError> {
  return err({ code, subject, message });
}

export function noSuchColumn(column: string): Refusal<AlterationError> {
  return refuseAlteration('no-such-column', column, `no such column: "${column}"`);
}
