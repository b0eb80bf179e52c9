import type { StoreDatabase } from '../store/store-database.ts';
import { watchWrites } from './watch-writes.ts';

/** Lets a host die in the middle of what it writes. */
export interface Mortality {
  readonly watch: (db: StoreDatabase) => StoreDatabase;
  /** The so-manieth write from here, counted from 1, does not come about. */
  readonly dieAtWrite: (write: number) => void;
}

/** `die` is called before the write that is not to come; it must not return. */
export function createMortality(die: () => never): Mortality {
  let left = Number.POSITIVE_INFINITY;

  return {
    watch: (db) =>
      watchWrites(db, () => {
        left -= 1;
        if (left <= 0) die();
      }),
    dieAtWrite: (write) => {
      left = write;
    },
  };
}
