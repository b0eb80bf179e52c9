import { outcomeOfValues, plainRow, type Candidate, type PlainRow } from './candidate.ts';
import { loadPeer } from './load-peer.ts';

type Rows = Record<string, { -readonly [K in keyof PlainRow]?: PlainRow[K] }>;
interface Doc {
  readonly w: Rows;
}
interface Automerge {
  readonly from: (value: Doc) => Doc;
  readonly init: () => Doc;
  readonly change: (doc: Doc, write: (doc: Doc) => void) => Doc;
  readonly getChanges: (before: Doc, after: Doc) => readonly Uint8Array[];
  readonly getAllChanges: (doc: Doc) => readonly Uint8Array[];
  readonly applyChanges: (doc: Doc, changes: readonly Uint8Array[]) => readonly [Doc];
}

/** Automerge, an object per row. In memory. */
export const automerge: Candidate = {
  share: 0.1,
  open: async () => {
    const { from, init, change, getChanges, getAllChanges, applyChanges } =
      await loadPeer<Automerge>('@automerge/automerge');
    let here = from({ w: {} });
    let [there] = applyChanges(init(), getAllChanges(here));
    const each = <T>(parts: readonly (readonly T[])[], write: (rows: Rows, item: T) => void): void => {
      for (const part of parts) {
        const before = here;
        here = change(before, ({ w }) => {
          for (const item of part) write(w, item);
        });
        [there] = applyChanges(there, getChanges(before, here));
      }
    };
    return {
      work: (story) => {
        each(story.inserts, (rows, row) => {
          const { k, ...others } = plainRow(row);
          rows[k] = others;
        });
        each(story.updates, (rows, [d, key]) => {
          const row = rows[String(key)];
          if (row !== undefined) row.d = Number(d);
        });
        each(story.deletes, (rows, key) => {
          Reflect.deleteProperty(rows, String(key));
        });
      },
      outcome: () => outcomeOfValues(Object.values(there.w).map(({ d }) => Number(d))),
    };
  },
};
