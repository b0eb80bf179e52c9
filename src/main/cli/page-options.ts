import type { DeskPage } from './replica-desk.ts';

export interface PageOptions {
  readonly limit: string;
  readonly before?: string;
  readonly json?: boolean;
}

const LIMIT_MAX = 1000;

/** What `--limit` and `--before` mean; null when they are no numbers. */
export function readPage({ limit, before }: PageOptions): DeskPage | null {
  const most = wholeNumber(limit);
  const end = before === undefined ? undefined : wholeNumber(before);
  if (most === null || most > LIMIT_MAX || end === null) return null;
  return { limit: most, ...(end !== undefined && { before: end }) };
}

function wholeNumber(text: string): number | null {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return number > 0 ? number : null;
}
