export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Turns an offset into line and column, both 1-based, the column in UTF-16 units. */
export function locateOffset(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}
