/** A run of DDL text; keywords are set apart for the eye. */
export interface DdlToken {
  readonly text: string;
  readonly isKeyword: boolean;
}

/** Words of SQLite's DDL, in lower case. */
export const DDL_KEYWORDS: ReadonlySet<string> = new Set(
  `add after alter always and as asc autoincrement before begin blob by cascade check collate column constraint create
   cross current_date current_time current_timestamp default deferrable deferred delete desc distinct drop each else end
   exists for foreign from generated glob group having if in index initially insert instead int integer intersect into is
   join key left like limit match no not null numeric of offset on or order primary real references rename replace
   restrict returning row rowid select set strict table temp text then to trigger union unique update using values view
   virtual when where with without`
    .trim()
    .split(/\s+/),
);

/** Words, and what stands between them; quoted names, strings and comments are one piece and never keywords. */
const PIECE =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`|\[[^\]]*\]|--[^\n]*|[A-Za-z_][A-Za-z0-9_]*|[^A-Za-z_"'`[-]+|./gs;

/** Splits DDL for display. Joined again, the pieces are the text. */
export function ddlTokens(ddl: string): readonly DdlToken[] {
  return (ddl.match(PIECE) ?? []).map((text) => ({ text, isKeyword: DDL_KEYWORDS.has(text.toLowerCase()) }));
}
