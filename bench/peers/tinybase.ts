import { Packr } from 'msgpackr';

import { outcomeOfValues, plainRow, type Candidate } from './candidate.ts';
import { loadPeer } from './load-peer.ts';

interface MergeableStore {
  readonly setRow: (table: string, row: string, cells: Readonly<Record<string, unknown>>) => void;
  readonly setPartialRow: (table: string, row: string, cells: Readonly<Record<string, unknown>>) => void;
  readonly delRow: (table: string, row: string) => void;
  readonly transaction: (work: () => void) => void;
  readonly addDidFinishTransactionListener: (listener: () => void) => string;
  readonly getTransactionMergeableChanges: () => unknown;
  readonly applyMergeableChanges: (changes: unknown) => void;
  readonly getTable: (table: string) => Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface Tinybase {
  readonly createMergeableStore: () => MergeableStore;
}

/** TinyBase, the changes of each transaction packed. In memory; bytes as text, since it has none. */
export const tinybase: Candidate = {
  share: 0.1,
  open: async () => {
    const { createMergeableStore } = await loadPeer<Tinybase>('tinybase');
    const [here, there] = [createMergeableStore(), createMergeableStore()];
    const packr = new Packr({ useRecords: false });
    here.addDidFinishTransactionListener(() => {
      there.applyMergeableChanges(packr.unpack(packr.pack(here.getTransactionMergeableChanges())));
    });
    const each = <T>(parts: readonly (readonly T[])[], write: (item: T) => void): void => {
      for (const part of parts) here.transaction(() => part.forEach(write));
    };
    return {
      work: (story) => {
        each(story.inserts, (row) => {
          const { k, g, ...others } = plainRow(row);
          here.setRow('w', k, { ...others, g: Buffer.from(g).toString('base64') });
        });
        each(story.updates, ([d, key]) => {
          here.setPartialRow('w', String(key), { d: Number(d) });
        });
        each(story.deletes, (key) => {
          here.delRow('w', String(key));
        });
      },
      outcome: () => outcomeOfValues(Object.values(there.getTable('w')).map((row) => Number(row['d']))),
    };
  },
};
