import { watchWrites } from '#main/scenario/watch-writes.ts';
import type { StoreDatabase } from '#main/store/store-database.ts';

export interface FaultyDatabase {
  readonly db: StoreDatabase;
  /** The write after so many more fails; counting begins anew. */
  readonly failAfter: (writes: number) => void;
}

/** A connection whose n-th write fails as a full disk makes it fail. */
export function makeFaulty(db: StoreDatabase): FaultyDatabase {
  let writes = 0;
  let failing = Number.POSITIVE_INFINITY;
  return {
    db: watchWrites(db, () => {
      writes += 1;
      if (writes > failing)
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    }),
    failAfter: (more) => {
      writes = 0;
      failing = more;
    },
  };
}
