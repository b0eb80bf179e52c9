import { valueText } from './sql-value-text.ts';
import type { FindingView } from './views.ts';

const ROWS_SHOWN = 10;

/** Which rows a finding is about, in words: their keys, and of those that wait for a unique key whose it is; '' where about none. */
export function foundRowsText({ rowCount, rows, hasMore }: FindingView): string {
  if (rowCount === null) return '';
  const shown = rows
    .slice(0, ROWS_SHOWN)
    .map(({ key, by }) => (by === null ? keyText(key) : `${keyText(key)} (${keyText(by)} has it)`));
  const rest = rowCount - shown.length;
  const more = hasMore
    ? [`${rest.toLocaleString('en-US')} or more others`]
    : rest > 0
      ? [`${rest.toLocaleString('en-US')} more`]
      : [];
  return `${rowCount === 1 ? 'Row' : 'Rows'} ${[...shown, ...more].join(', ')}.`;
}

const keyText = (key: FindingView['rows'][number]['key']): string =>
  key.length === 1 ? key.map(valueText).join() : `(${key.map(valueText).join(', ')})`;
