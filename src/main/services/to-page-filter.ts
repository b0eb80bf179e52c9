import type { PageFilter } from '../replica/replica.ts';

/** A page as the contract asks for it: `before` may be undefined there, and absent alone here. */
export function toPageFilter({
  before,
  limit,
}: {
  readonly before?: number | undefined;
  readonly limit: number;
}): PageFilter {
  return before === undefined ? { limit } : { before, limit };
}
