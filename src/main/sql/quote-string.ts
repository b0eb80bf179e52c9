/** Writes text as an SQL string literal. */
export function quoteString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
