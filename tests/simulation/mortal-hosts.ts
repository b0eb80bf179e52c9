import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';

import { createMortality } from '#main/scenario/create-mortality.ts';
import { HOST_ENDED, type HostCalls } from '#main/scenario/host-calls.ts';
import { openHostCalls } from '#main/scenario/open-host-calls.ts';
import type { HostStarter } from '#main/scenario/scenario-world.ts';
import type { StoreDatabase } from '#main/store/store-database.ts';

/** Hosts of replicas in this process that can die as by kill -9, and the connections that they have open. */
export interface MortalHosts {
  readonly starter: HostStarter;
  /** The connection of the host that has this file open; null when none has. */
  readonly connection: (path: string) => StoreDatabase | null;
}

/**
 * Makes hosts that die at any write: the files as they are at that instant are kept aside, everything that the host
 * does afterwards is thrown away with its connection, and the kept files are put in their place.
 */
export function createMortalHosts(): MortalHosts {
  const connections = new Map<string, StoreDatabase>();

  return {
    connection: (path) => connections.get(path) ?? null,
    starter: {
      start: async (spec, { nowMs }) => {
        const { path } = spec;
        let isDead = false;
        const mortality = createMortality(() => {
          if (!isDead) keepAsIs(path);
          isDead = true;
          throw new Error(HOST_ENDED);
        });
        const opened = openHostCalls(spec, {
          nowMs,
          mortality: {
            ...mortality,
            watch: (db) => {
              connections.set(path, db);
              return mortality.watch(db);
            },
          },
        });
        if (!opened.ok) throw new Error(opened.error.message);
        const calls = mortalCalls(opened.value, () => isDead);
        return Promise.resolve({
          ...calls,
          close: async () => {
            connections.delete(path);
            await calls.close();
          },
          kill: async () => {
            if (!isDead) keepAsIs(path);
            isDead = true;
            connections.get(path)?.close();
            connections.delete(path);
            putBack(path);
            return Promise.resolve();
          },
        });
      },
    },
  };
}

/** From its death on no call of a host is answered. */
function mortalCalls(calls: HostCalls, isDead: () => boolean): HostCalls {
  const mortal = Object.entries(calls).map(([name, call]) => [
    name,
    async (...args: readonly unknown[]): Promise<unknown> => {
      if (isDead()) throw new Error(HOST_ENDED);
      try {
        return await (call as (...given: readonly unknown[]) => Promise<unknown>)(...args);
      } catch (cause) {
        throw isDead() ? new Error(HOST_ENDED) : cause;
      }
    },
  ]);
  // Each entry keeps the type that the record gives it.
  return Object.fromEntries(mortal) as HostCalls;
}

const BESIDE = ['', '-wal'] as const;

function keepAsIs(path: string): void {
  for (const beside of BESIDE)
    if (existsSync(`${path}${beside}`)) copyFileSync(`${path}${beside}`, `${path}.dead${beside}`);
}

function putBack(path: string): void {
  for (const beside of [...BESIDE, '-shm']) rmSync(`${path}${beside}`, { force: true });
  for (const beside of BESIDE)
    if (existsSync(`${path}.dead${beside}`)) renameSync(`${path}.dead${beside}`, `${path}${beside}`);
}
