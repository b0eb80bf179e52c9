import type { PeerView, ReplicaStatus } from '#shared/model/views.ts';
import { ReplicaState } from '#shared/model/vocabulary.ts';
import { ok } from '#shared/result.ts';
import { done, saysNo, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { countWords, lengthWords, sizeWords, timeWords } from './count-words.ts';
import { findReplica, readFleet } from './find-replica.ts';
import { findingLines } from './finding-lines.ts';
import { withDesk } from './open-desk.ts';
import { openQuietReader } from './open-quiet-reader.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textFacts, textTable } from './text-table.ts';

/** `concord status [REPLICA...]`: how it is, in words, with its peers; without one, how the fleet is. */
export const addStatusCommand: AddSubcommand = (program, run) => {
  program
    .command('status')
    .argument('[replica...]', 'path, name of the fleet, or beginning of a site ID; the fleet when left out')
    .description('say how a replica is, or the fleet; exit status 1 when one needs somebody')
    .option('--json', 'one JSON document')
    .action(async (replicas: readonly string[], options: { readonly json?: boolean }) => {
      await run(options, async (context) => {
        const [replica, second] = replicas;
        return replica === undefined || second !== undefined
          ? statusOfMany(context, replicas)
          : statusOfOne(context, replica);
      });
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

const SHORT_WORDS: Readonly<Record<ReplicaState, string>> = {
  incompatible: 'incompatible',
  damaged: 'damaged',
  tooOld: 'too old',
  blocked: 'blocked',
  unreachable: 'unreachable',
  paused: 'paused',
  locked: 'locked',
  behind: 'behind',
  inSync: 'in sync',
};

const NEEDS_SOMEBODY: ReadonlySet<ReplicaState> = new Set(['incompatible', 'damaged', 'tooOld', 'blocked']);

async function statusOfOne(context: CommandContext, replica: string): Promise<CommandResult> {
  return withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
    const asked = await desk.status();
    if (!asked.ok) return asked;
    const status = asked.value;
    const found = status.findings === 0 ? ok([]) : await desk.findings();
    if (!found.ok) return found;
    const text = [
      `${name} ${WORDS[status.state]}.`,
      textFacts(factsOf(status)),
      ...findingLines(found.value),
      status.peers.length === 0 ? 'It has not met a peer yet.' : peerTable(context, status.peers),
    ].join('\n\n');
    return NEEDS_SOMEBODY.has(status.state) ? saysNo(status, text) : done(status, text);
  });
}

/** SQLite refuses DROP COLUMN beside a trigger that names the column, and names the trigger. */
const OTHER_PROGRAMS = 'other programs may change it; columns are dropped by `concord exec`';

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
    ['schema', OTHER_PROGRAMS],
    ['SQLite', status.sqliteVersion],
  ];
}

function peerTable(context: CommandContext, peers: readonly PeerView[]): string {
  const nowMs = context.ports.clock.nowMs();
  const nameBySite = new Map(readFleet(context).map(({ site, name }) => [site, name]));
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
      nameBySite.get(peer.site) ?? peer.site,
      peerState(peer),
      String(peer.watermark),
      String(peer.peerHead),
      peer.lastSyncMs === null ? 'never' : timeWords(peer.lastSyncMs, nowMs),
      peer.skewMs === null ? '?' : skewWords(peer.skewMs),
    ]),
  );
}

function peerState(peer: PeerView): string {
  if (peer.blocked) return 'blocked';
  return peer.watermark < peer.peerHead ? 'behind' : 'in sync';
}

function skewWords(ms: number): string {
  if (ms === 0) return '0 ms';
  return `${ms < 0 ? '−' : '+'}${lengthWords(Math.abs(ms))}`;
}

/** One of several: what its file says, or why it cannot be read. */
interface Member {
  readonly name: string;
  readonly path: string;
  readonly state: ReplicaState;
  readonly reason: string | null;
  readonly status: ReplicaStatus | null;
}

async function statusOfMany(context: CommandContext, replicas: readonly string[]): Promise<CommandResult> {
  const members: Member[] = [];
  for (const said of replicas) {
    const found = findReplica(context, said);
    if (!found.ok) return Promise.resolve(found);
    members.push(readMember(context, found.value));
  }
  if (replicas.length === 0) members.push(...readFleet(context).map((member) => readMember(context, member)));
  if (members.length === 0) {
    return Promise.resolve(
      done([], 'The fleet of this machine is empty. `concord example` makes one to try.'),
    );
  }
  const sorted = members.toSorted((left, right) => severity(left.state) - severity(right.state));
  const text = `${verdictOf(sorted)}\n\n${memberTable(sorted)}`;
  return Promise.resolve(sorted.some(needsSomebody) ? saysNo(sorted, text) : done(sorted, text));
}

function readMember(
  context: CommandContext,
  { name, path }: { readonly name: string; readonly path: string },
): Member {
  const opened = openQuietReader(context, path);
  if (!opened.ok) {
    const state = opened.error.code === 'other-format' ? 'incompatible' : 'damaged';
    const isThere = opened.error.code !== 'file-not-found' && opened.error.code !== 'no-rights';
    return { name, path, state: isThere ? state : 'unreachable', reason: opened.error.message, status: null };
  }
  const status = opened.value.status();
  opened.value.close();
  return { name, path, state: status.state, reason: null, status };
}

const severity = (state: ReplicaState): number => ReplicaState.options.indexOf(state);

const needsSomebody = ({ state }: Member): boolean => NEEDS_SOMEBODY.has(state);

function verdictOf(members: readonly Member[]): string {
  const needing = members.filter(needsSomebody);
  const [first] = needing;
  if (first === undefined) return `${countWords(members.length, 'replica')}, and none needs you.`;
  const names = needing.map(({ name }) => name).join(', ');
  return `${needing.length} of ${countWords(members.length, 'replica')} ${needing.length === 1 ? 'needs' : 'need'} you: ${names}.`;
}

function memberTable(members: readonly Member[]): string {
  const columns = [
    { title: 'State' },
    { title: 'Replica' },
    { title: 'Fingerprint' },
    { title: 'Head', isNumber: true },
    { title: 'Held', isNumber: true },
    { title: 'Blocked', isNumber: true },
    { title: 'File' },
  ];
  const number = (value: number | undefined): string => {
    if (value === undefined) return '?';
    return value === 0 ? '–' : value.toLocaleString('en-US');
  };
  return textTable(
    columns,
    members.map(({ name, path, state, reason, status }) => [
      SHORT_WORDS[state],
      name,
      status?.fingerprint.slice(0, FINGERPRINT_CHARS) ?? '?',
      number(status?.head),
      number(status?.heldRows),
      number(status?.blockedBatches),
      reason ?? path,
    ]),
  );
}

const FINGERPRINT_CHARS = 6;
