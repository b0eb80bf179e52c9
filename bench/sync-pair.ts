import Database from 'better-sqlite3';

import type { Page } from '#shared/model/change-group.ts';
import { decodeWireMessage, encodeWireMessage } from '#main/peers/wire-codec.ts';
import { pullAll, type BenchedReplica } from './bench-pair.ts';
import type { SyncStory } from './sync-story.ts';
import { INSERT_W } from './workload.ts';

/** Two replicas, the first of which another program writes to. */
export interface SyncPair {
  /** Plays a story at the first; what each part of it wrote comes over in pages. */
  readonly play: (story: SyncStory) => void;
  readonly close: () => void;
}

/** Pairs two replicas over the bytes of the wire. */
export function openSyncPair(here: BenchedReplica, there: BenchedReplica): SyncPair {
  const program = new Database(here.path);
  const write = (sql: string, parts: readonly (readonly (readonly unknown[])[])[]): void => {
    const statement = program.prepare(sql);
    for (const part of parts) {
      program.transaction(() => {
        for (const values of part) statement.run(...values);
      })();
      here.replica.notice();
    }
    pullAll(there.replica, here.replica, overTheWire);
  };
  return {
    play: (story) => {
      write(INSERT_W, story.inserts);
      write('update w set d = ? where k = ?', story.updates);
      write(
        'delete from w where k = ?',
        story.deletes.map((part) => part.map((key) => [key])),
      );
    },
    close: () => {
      program.close();
      here.close();
      there.close();
    },
  };
}

function overTheWire(page: Page): Page {
  const encoded = encodeWireMessage({ type: 'page', ...page });
  if (!encoded.ok) throw new Error(encoded.error.message);
  const decoded = decodeWireMessage(encoded.value);
  if (!decoded.ok) throw new Error(decoded.error.message);
  if (decoded.value.type !== 'page') throw new Error('A page came back as something else.');
  return decoded.value;
}
