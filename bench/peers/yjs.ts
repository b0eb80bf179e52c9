import { outcomeOfValues, plainRow, type Candidate } from './candidate.ts';
import { loadPeer } from './load-peer.ts';

interface YMap {
  readonly set: (key: string, value: unknown) => void;
  readonly get: (key: string) => unknown;
  readonly delete: (key: string) => void;
  readonly values: () => Iterable<YMap>;
}
interface YDoc {
  readonly getMap: (name: string) => YMap;
  readonly transact: (work: () => void) => void;
  readonly on: (event: 'update', listener: (update: Uint8Array) => void) => void;
}
interface Yjs {
  readonly Doc: new () => YDoc;
  readonly Map: new () => YMap;
  readonly applyUpdate: (doc: YDoc, update: Uint8Array) => void;
}

/** yjs, a map per row, so that cells merge on their own. In memory. */
export const yjs: Candidate = {
  share: 1,
  open: async () => {
    const { Doc, Map: YMapOf, applyUpdate } = await loadPeer<Yjs>('yjs');
    const [here, there] = [new Doc(), new Doc()];
    here.on('update', (update) => {
      applyUpdate(there, update);
    });
    const table = here.getMap('w');
    const each = <T>(parts: readonly (readonly T[])[], write: (item: T) => void): void => {
      for (const part of parts) here.transact(() => part.forEach(write));
    };
    return {
      work: (story) => {
        each(story.inserts, (row) => {
          const map = new YMapOf();
          const { k, ...others } = plainRow(row);
          for (const [name, value] of Object.entries(others)) map.set(name, value);
          table.set(k, map);
        });
        each(story.updates, ([d, key]) => {
          (table.get(String(key)) as YMap).set('d', Number(d));
        });
        each(story.deletes, (key) => {
          table.delete(String(key));
        });
      },
      outcome: () => outcomeOfValues([...there.getMap('w').values()].map((row) => Number(row.get('d')))),
    };
  },
};
