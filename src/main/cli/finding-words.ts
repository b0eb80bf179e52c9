import type { FindingView } from '#shared/model/views.ts';

/** A finding as a line: which table, what, and what to do. */
export const findingWords = ({ table, detail, advice }: FindingView): string =>
  `${table}: ${detail} ${advice}`;
