import type { PeerView, ReplicaStatus } from '#shared/model/views.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';
import type { CommandResult } from './command-answer.ts';
import { done, saysNo } from './command-answer.ts';
import { countWords, lengthWords, sizeWords, timeWords } from './count-words.ts';
import { withDesk } from './open-desk.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textFacts, textTable } from './text-table.ts';

/** `concord status REPLICA`: how it is, in words, with its peers. */
export const addStatusCommand: AddSubcommand = (program, run) => {
  program
    .command('status')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('say how a replica is; exit status 1 when it needs somebody')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: { readonly json?: boolean }) => {
      await run(options, async (context) =>
        withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
          const status = await desk.status();
          if (!status.ok) return status;
          return answerOf(status.value, { name, nowMs: context.ports.clock.nowMs() });
        }),
      );
    });
};

const WORDS: Readonly<Record<ReplicaState, string>> = {
  incompatible: 'has the format of another Concord',
  damaged: 'is damaged',
  tooOld: 'is too old: re-bootstrap it',
  blocked: 'is blocked: `concord blocked` shows what is to be decided',
  unreachable: 'is unreachable',
  paused: 'is paused',
  locked: 'is locked by another program',
  behind: 'is behind; it catches up by itself',
  inSync: 'is in sync, as far as it has heard',
};

const NEEDS_SOMEBODY: ReadonlySet<ReplicaState> = new Set(['incompatible', 'damaged', 'tooOld', 'blocked']);

function answerOf(
  status: ReplicaStatus,
  { name, nowMs }: { readonly name: string; readonly nowMs: number },
): CommandResult {
  const text = [
    `${name} ${WORDS[status.state]}.`,
    textFacts(factsOf(status)),
    status.peers.length === 0 ? 'It has not met a peer yet.' : peerTable(status.peers, nowMs),
  ].join('\n\n');
  return NEEDS_SOMEBODY.has(status.state) ? saysNo(status, text) : done(status, text);
}

function factsOf(status: ReplicaStatus): readonly (readonly [string, string])[] {
  return [
    ['site ID', status.site],
    ['file', status.path],
    ['size', sizeWords(status.sizeBytes)],
    ['fingerprint', status.fingerprint],
    ['head', String(status.head)],
    ['tables', String(status.tables)],
    ['held', countWords(status.heldRows, 'row')],
    ['blocked', countWords(status.blockedBatches, 'batch', 'batches')],
    ['findings', countWords(status.findings, 'finding')],
    ['divergence', status.onDivergence === 'block' ? 'blocks the line' : 'is set aside'],
    ['journal mode', status.journalMode],
    ['SQLite', status.sqliteVersion],
  ];
}

function peerTable(peers: readonly PeerView[], nowMs: number): string {
  const columns = [
    { title: 'Peer' },
    { title: 'State' },
    { title: 'Watermark', isNumber: true },
    { title: 'Head', isNumber: true },
    { title: 'Last sync' },
    { title: 'Skew', isNumber: true },
  ];
  return textTable(
    columns,
    peers.map((peer) => [
      peer.site,
      peer.blocked ? 'blocked' : peer.watermark < peer.peerHead ? 'behind' : 'in sync',
      String(peer.watermark),
      String(peer.peerHead),
      peer.lastSyncMs === null ? 'never' : timeWords(peer.lastSyncMs, nowMs),
      peer.skewMs === null ? '?' : skewWords(peer.skewMs),
    ]),
  );
}

function skewWords(ms: number): string {
  if (ms === 0) return '0 ms';
  return `${ms < 0 ? '−' : '+'}${lengthWords(Math.abs(ms))}`;
}
