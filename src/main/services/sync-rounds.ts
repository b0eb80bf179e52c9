import { hasMoved } from '../peers/has-moved.ts';
import type { LinkRound } from './live-link.ts';

export interface SyncableLink {
  readonly id: string;
  readonly syncNow: () => Promise<LinkRound>;
}

export interface RoundsReport {
  readonly rounds: number;
  /** False: the last round still moved something. */
  readonly quiet: boolean;
  readonly stopped: readonly { readonly link: string; readonly reason: string }[];
  readonly changes: number;
  readonly migrations: number;
}

/** What is written at one end of a chain of this many replicas reaches the other end. */
const ROUNDS_MAX = 50;
/** Each replica does one thing at a time anyhow. */
const LINKS_AT_ONCE_MAX = 4;

/** Syncs links round by round until a round moves nothing, or 50 rounds are over. */
export async function runSyncRounds(
  links: readonly SyncableLink[],
  roundsMax = ROUNDS_MAX,
): Promise<RoundsReport> {
  let changes = 0;
  let migrations = 0;

  for (let rounds = 1; rounds <= roundsMax; rounds += 1) {
    const now = await runRound(links);
    for (const { directions } of now.values()) {
      for (const direction of directions) {
        changes += direction.factsApplied + direction.factsHeld;
        migrations += direction.migrations;
      }
    }
    const quiet = ![...now.values()].some(({ directions }) => directions.some(hasMoved));
    if (quiet || rounds === roundsMax) return { rounds, quiet, stopped: stoppedOf(now), changes, migrations };
  }
  return { rounds: 0, quiet: true, stopped: [], changes, migrations };
}

async function runRound(links: readonly SyncableLink[]): Promise<Map<string, LinkRound>> {
  const rounds = new Map<string, LinkRound>();
  const queue = [...links];
  const lanes = Array.from({ length: LINKS_AT_ONCE_MAX }, async () => {
    for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
      rounds.set(link.id, await link.syncNow());
    }
  });
  await Promise.all(lanes);
  return rounds;
}

function stoppedOf(rounds: ReadonlyMap<string, LinkRound>): RoundsReport['stopped'] {
  return [...rounds].flatMap(([link, { stopped }]) => (stopped === null ? [] : [{ link, reason: stopped }]));
}
