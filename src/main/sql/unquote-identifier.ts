/** Reads the name out of a word or of any of SQLite's quotations: "a""b", [a b], `a`, 'a'. */
export function unquoteIdentifier(text: string): string {
  const quote = text.charAt(0);
  if (quote === '[') return text.slice(1, -1);
  if (quote !== '"' && quote !== '`' && quote !== "'") return text;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
