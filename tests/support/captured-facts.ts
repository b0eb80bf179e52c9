import { factsOf } from './store-fixture.ts';
import type { AttachedReplica } from './store-fixture.ts';

/** What a puller that stands at the newest group gets after some statements of another program. */
export function captured(replica: AttachedReplica, ...transactions: readonly string[]): readonly string[] {
  const { cursor } = replica.pages(replica.start, 1_000).at(-1) ?? { cursor: replica.start };
  for (const sql of transactions) replica.plain.exec(`begin; ${sql}; commit`);
  return factsOf(replica.pages(cursor, 1_000).flatMap(({ groups }) => groups));
}
