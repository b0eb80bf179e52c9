import type { DdlStatement } from './ast.ts';
import { layOutStatement } from './canonical/lay-out-statement.ts';
import { EXECUTABLE } from './canonical/style.ts';

/**
 * Writes any DDL statement for SQLite to run: every name of the frame quoted, selects as they were written. The
 * alterations that only Concord's dialect has are written in that dialect.
 */
export function renderStatement(statement: DdlStatement): string {
  return layOutStatement(statement, EXECUTABLE);
}
