import type { DdlStatement } from './ast.ts';
import { layOutStatement } from './canonical/lay-out-statement.ts';
import { READABLE } from './canonical/style.ts';

/** Writes any DDL statement in its canonical spelling, for people. What is parsed from it says the same. */
export function canonicalStatement(statement: DdlStatement): string {
  return layOutStatement(statement, READABLE);
}
