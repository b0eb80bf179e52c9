/** Writes a name so that it can stand in any statement, whatever it consists of. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
