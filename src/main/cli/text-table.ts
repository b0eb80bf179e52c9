/** A column of a table for people. */
export interface TextColumn {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

const GAP = '  ';

/**
 * Lays rows out in columns, with a line of titles. Long cells stay whole: whoever reads a terminal can scroll,
 * and a script asks for `--json`.
 */
export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const lines = [columns.map(({ title }) => title), ...cells].map((row) =>
    columns
      .map(({ isNumber }, at) => {
        const cell = row[at] ?? '';
        const width = widths[at] ?? 0;
        return isNumber === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(GAP)
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Facts under each other, the names in a column of their own. */
export function textFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}`).join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');
