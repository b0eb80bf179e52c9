import { foundRowsText } from '#shared/model/found-rows-text.ts';
import type { FindingView } from '#shared/model/views.ts';

/** From so many findings that say the same of their tables on, one is told and the others are named. */
const ALIKE_MIN = 3;

/** Findings as lines: which table, what, which rows, and what to do. What is the same of many tables is said once. */
export function findingLines(findings: readonly FindingView[]): readonly string[] {
  const alike = new Map<string, FindingView[]>();
  for (const finding of findings) {
    const sentence = sentenceOf(finding);
    alike.set(sentence, [...(alike.get(sentence) ?? []), finding]);
  }
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    if (others.length + 1 < ALIKE_MIN) return [first, ...others].map(findingWords);
    return [`${findingWords(first)}\n  The same of ${others.map(({ table }) => table).join(', ')}.`];
  });
}

const findingWords = (finding: FindingView): string =>
  [`${finding.table}:`, finding.detail, foundRowsText(finding), finding.advice]
    .filter((words) => words !== '')
    .join(' ');

/** What is said of a table, whatever its name; of rows each is its own. */
function sentenceOf(finding: FindingView): string {
  const words = findingWords(finding);
  return (finding.rowCount ?? 0) > 0
    ? words
    : words.replaceAll(`"${finding.table}"`, '"').replaceAll(finding.table, '"');
}
