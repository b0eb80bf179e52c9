import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { Hash, Random } from '../engine/ports.ts';
import { createSeededRandom } from '../scenario/seeded-random.ts';
import { LINKS, SHOPS, tellStory } from './example-story.ts';
import { openShops, type Shops } from './open-shops.ts';

export interface ExampleFleet {
  readonly folder: string;
  readonly replicas: readonly ExampleReplica[];
  /** Names of replicas. */
  readonly links: readonly { readonly a: string; readonly b: string }[];
  /** Rows in all tables of all replicas. */
  readonly rows: number;
}

export interface ExampleReplica {
  readonly name: string;
  readonly group: string;
  readonly path: string;
  readonly site: SiteId;
}

export type ExampleError =
  | { readonly code: 'example-exists'; readonly folder: string }
  | { readonly code: 'no-rights'; readonly path: string };

export interface ExampleWish {
  /** Not there yet, or empty. */
  readonly folder: string;
  /** When the story ends; milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly hash: Hash;
  /** Where IDs come from; they follow from the folder when left out. Rows are the same each time. */
  readonly random?: Random;
}

/**
 * Makes five real replicas of a small chain of shops by playing their story through the engine, under a clock of its
 * own that ends at `nowMs`. Three of them are blocked on the same divergent definition of `orders` when it ends.
 *
 * The files appear all at once or not at all. Errors: `example-exists`, `no-rights`; then nothing was changed.
 */
export async function makeExampleFleet(wish: ExampleWish): Promise<Result<ExampleFleet, ExampleError>> {
  const folder = resolve(wish.folder);
  const making = `${folder}.making`;
  try {
    if (!isFree(folder)) return err({ code: 'example-exists', folder });
    mkdirSync(dirname(folder), { recursive: true });
    // What an earlier try that was broken off has left.
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making);
  } catch (cause) {
    if (isDenied(cause)) return err({ code: 'no-rights', path: folder });
    throw cause;
  }
  try {
    const made = await play(wish, making);
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
    const replicas = made.replicas.map(({ name, ...rest }) => ({
      name,
      ...rest,
      path: join(folder, `${name}.db`),
    }));
    return ok({ ...made, folder, replicas });
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

async function play(
  wish: ExampleWish,
  folder: string,
): Promise<Pick<ExampleFleet, 'replicas' | 'links' | 'rows'>> {
  const ids = wish.random ?? createSeededRandom(`example fleet in ${resolve(wish.folder)}`, wish.hash);
  const rows = createSeededRandom('example fleet', wish.hash);
  const shops = openShops({ folder, hash: wish.hash, random: ids, endMs: wish.nowMs });
  try {
    for (const act of tellStory(rows, wish.nowMs)) await shops.act(act);
    return {
      replicas: SHOPS.map(({ name, group }) => ({ name, group, path: '', site: shops.site(name) })),
      links: LINKS.map(([a, b]) => ({ a, b })),
      rows: countRows(shops),
    };
  } finally {
    shops.close();
  }
}

function countRows(shops: Shops): number {
  return SHOPS.flatMap(({ name }) => shops.catalog(name).objects).reduce(
    (sum, { rows }) => sum + (rows ?? 0),
    0,
  );
}

/** Whether nothing is there, or an empty folder. */
function isFree(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return true;
    if (codeOf(cause) === 'ENOTDIR') return false;
    throw cause;
  }
}

const isDenied = (cause: unknown): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(cause));

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
