import { foundRowsText } from '#shared/model/found-rows-text.ts';
import type { FindingView } from '#shared/model/views.ts';

/** A finding as a line: which table, what, which rows, and what to do. */
export const findingWords = (finding: FindingView): string =>
  [`${finding.table}:`, finding.detail, foundRowsText(finding), finding.advice]
    .filter((words) => words !== '')
    .join(' ');
