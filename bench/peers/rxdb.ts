import { Packr } from 'msgpackr';

import { outcomeOfValues, plainRow, type Candidate } from './candidate.ts';
import { loadPeer } from './load-peer.ts';

interface RxDocument {
  readonly d: number;
  readonly incrementalPatch: (patch: { readonly d: number }) => Promise<unknown>;
}
interface RxCollection {
  readonly storageInstance: unknown;
  readonly bulkInsert: (rows: readonly unknown[]) => Promise<unknown>;
  readonly bulkRemove: (keys: readonly string[]) => Promise<unknown>;
  readonly findByIds: (keys: readonly string[]) => {
    readonly exec: () => Promise<ReadonlyMap<string, RxDocument>>;
  };
  readonly find: () => { readonly exec: () => Promise<readonly RxDocument[]> };
}
interface Pulled {
  readonly documents: readonly unknown[];
  readonly checkpoint: unknown;
}
interface RxDb {
  readonly createRxDatabase: (options: Readonly<Record<string, unknown>>) => Promise<{
    readonly addCollections: (schemas: unknown) => Promise<{ readonly w: RxCollection }>;
  }>;
  readonly getChangedDocumentsSince: (
    storage: unknown,
    limit: number,
    checkpoint: unknown,
  ) => Promise<Pulled>;
}
interface Replication {
  readonly replicateRxCollection: (options: Readonly<Record<string, unknown>>) => {
    readonly reSync: () => void;
    readonly awaitInSync: () => Promise<unknown>;
  };
}

const BATCH = 1_000;

const SCHEMA = {
  version: 0,
  primaryKey: 'k',
  type: 'object',
  properties: {
    k: { type: 'string', maxLength: 40 },
    ...Object.fromEntries(['a', 'b', 'c', 'g'].map((name) => [name, { type: 'string' }])),
    ...Object.fromEntries(['d', 'e', 'f'].map((name) => [name, { type: 'number' }])),
  },
};

/** RxDB with its storage in memory and its own replication; bytes as text, since it has none. */
export const rxdb: Candidate = {
  share: 1,
  open: async () => {
    const { createRxDatabase, getChangedDocumentsSince } = await loadPeer<RxDb>('rxdb/plugins/core');
    const { getRxStorageMemory } = await loadPeer<{ readonly getRxStorageMemory: () => unknown }>(
      'rxdb/plugins/storage-memory',
    );
    const { replicateRxCollection } = await loadPeer<Replication>('rxdb/plugins/replication');
    const open = async (name: string): Promise<RxCollection> => {
      const db = await createRxDatabase({ name, storage: getRxStorageMemory(), multiInstance: false });
      return (await db.addCollections({ w: { schema: SCHEMA } })).w;
    };
    const [here, there] = [await open('here'), await open('there')];
    const packr = new Packr();
    const replication = replicateRxCollection({
      collection: there,
      replicationIdentifier: 'here',
      live: true,
      waitForLeadership: false,
      pull: {
        batchSize: BATCH,
        handler: async (checkpoint: unknown, limit: number): Promise<Pulled> =>
          packr.unpack(
            packr.pack(await getChangedDocumentsSince(here.storageInstance, limit, checkpoint)),
          ) as Pulled,
      },
    });
    const carry = async (): Promise<void> => {
      replication.reSync();
      await replication.awaitInSync();
    };
    return {
      work: async (story) => {
        for (const part of story.inserts) {
          await here.bulkInsert(
            part.map(plainRow).map((row) => ({ ...row, g: Buffer.from(row.g).toString('base64') })),
          );
          await carry();
        }
        for (const part of story.updates) {
          const found = await here.findByIds(part.map(([, key]) => String(key))).exec();
          await Promise.all(
            part.flatMap(([d, key]) => found.get(String(key))?.incrementalPatch({ d: Number(d) }) ?? []),
          );
          await carry();
        }
        for (const part of story.deletes) {
          await here.bulkRemove(part.map(String));
          await carry();
        }
      },
      outcome: async () => outcomeOfValues((await there.find().exec()).map(({ d }) => d)),
    };
  },
};
