import { ok, type Result } from '#shared/result.ts';
import type { SyncEnd } from '#shared/wire/pulled-message.ts';
import type { WireLink } from '../peers/create-wire-link.ts';
import { createInProcessLink } from '../peers/in-process-link.ts';
import type { PeerLink } from '../peers/peer-link.ts';
import { pullFromPeer } from '../peers/pull-from-peer.ts';
import type { SyncEndpoint } from '../peers/sync-endpoint.ts';
import type { BlockedSummary } from '../replica/replica.ts';
import { done, refuse, saysNo, type CommandFailure, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { countWords } from './count-words.ts';
import { linkSentence } from './error-sentence.ts';
import { clientOf, openPeerLink, tryPeer } from './open-peer-link.ts';
import type { AddSubcommand } from './subcommand.ts';
import {
  openSide,
  readPeer,
  type LocalSide,
  type PeerWish,
  type RemoteSide,
  type SyncSide,
} from './sync-sides.ts';

interface SyncOptions {
  readonly oneWay?: boolean;
  readonly tokenFile?: string;
  readonly json?: boolean;
}

/** `concord sync A B`: until both have what the other has, or until something stops a line. */
export const addSyncCommand: AddSubcommand = (program, run) => {
  program
    .command('sync')
    .argument('<a>', 'REPLICA or PEER')
    .argument('<b>', 'REPLICA or PEER')
    .description('sync two replicas both ways until quiet; exit status 1 when a line is stopped')
    .option('--one-way', 'only from A to B')
    .option('--token-file <path>', "file with the token's secret, for a PEER")
    .option('--json', 'one JSON document')
    .action(async (a: string, b: string, options: SyncOptions) => {
      await run(options, async (context) => syncBoth(context, { a, b }, options));
    });
};

async function syncBoth(
  context: CommandContext,
  said: { readonly a: string; readonly b: string },
  options: SyncOptions,
): Promise<CommandResult> {
  const a = readPeer(context, said.a, options.tokenFile);
  if (!a.ok) return a;
  const b = readPeer(context, said.b, options.tokenFile);
  if (!b.ok) return b;
  const tried = await tryRemote(context, a.value, b.value);
  if (!tried.ok) return tried;
  return withSide(context, a.value, async (sideA) =>
    withSide(context, b.value, async (sideB) =>
      syncSides(context, { a: sideA, b: sideB }, options.oneWay === true),
    ),
  );
}

/** A peer that is no peer is found out before a file is opened for it. */
async function tryRemote(
  context: CommandContext,
  a: PeerWish,
  b: PeerWish,
): Promise<Result<undefined, CommandFailure>> {
  if (a.kind === 'file' && b.kind === 'remote') return tryPeer(context, b, a.path);
  if (a.kind === 'remote' && b.kind === 'file') return tryPeer(context, a, b.path);
  return ok();
}

async function withSide(
  context: CommandContext,
  wish: PeerWish,
  work: (side: SyncSide) => Promise<CommandResult>,
): Promise<CommandResult> {
  const side = await openSide(context, wish);
  if (!side.ok) return side;
  try {
    return await work(side.value);
  } finally {
    side.value.close();
  }
}

interface Sides {
  readonly a: SyncSide;
  readonly b: SyncSide;
}

/** What one direction did in all its rounds. */
interface Direction {
  readonly from: string;
  readonly to: string;
  readonly ended: SyncEnd;
  readonly groups: number;
  readonly facts: number;
  readonly held: number;
  readonly migrations: number;
  readonly blocked: BlockedSummary | null;
  /** Why it ended, when it is neither quiet nor blocked. */
  readonly reason: string | null;
}

interface Line {
  readonly from: string;
  readonly to: string;
  readonly pull: () => Promise<Direction>;
}

async function syncSides(context: CommandContext, sides: Sides, isOneWay: boolean): Promise<CommandResult> {
  const lines = await openLines(context, sides, isOneWay);
  if (!lines.ok) return lines;
  const { forth, back, close } = lines.value;
  try {
    const directions = await runRounds(isOneWay ? [forth] : [forth, back]);
    return answerOf(directions);
  } finally {
    close();
  }
}

interface Lines {
  readonly forth: Line;
  readonly back: Line;
  readonly close: () => void;
}

async function openLines(
  context: CommandContext,
  { a, b }: Sides,
  isOneWay: boolean,
): Promise<Result<Lines, CommandFailure>> {
  if (a.kind === 'local' && b.kind === 'local') return ok(localLines(context, a, b));
  if (a.kind === 'remote' && b.kind === 'remote') {
    return refuse(
      'both-remote',
      `${a.name} and ${b.name} are both held by running hosts: link them there, then they sync by themselves.`,
    );
  }
  const [own, peer] = a.kind === 'local' ? [a, b as RemoteSide] : [b as LocalSide, a];
  const served = countServed(own.endpoint);
  // A host pulls by itself from whoever offers.
  const offers = !isOneWay || own === a;
  const link = await openPeerLink(context, peer, { endpoint: served.endpoint, offers });
  if (!link.ok) return link;
  const inward = pullLine(context, { own, peer: peer.name, link: link.value });
  const outward = inviteLine({ from: own.name, to: peer.name }, { link: link.value, served });
  const close = () => link.value.close();
  return ok(
    a.kind === 'local' ? { forth: outward, back: inward, close } : { forth: inward, back: outward, close },
  );
}

function localLines(context: CommandContext, a: LocalSide, b: LocalSide): Lines {
  const client = clientOf(context);
  const toB = createInProcessLink({ own: b.endpoint, peer: a.endpoint, client });
  const toA = createInProcessLink({ own: a.endpoint, peer: b.endpoint, client });
  return {
    forth: pullLine(context, { own: b, peer: a.name, link: toB }),
    back: pullLine(context, { own: a, peer: b.name, link: toA }),
    close: () => {
      toA.close();
      toB.close();
    },
  };
}

function pullLine(
  context: CommandContext,
  ends: { readonly own: LocalSide; readonly peer: string; readonly link: PeerLink },
): Line {
  const { own, peer, link } = ends;
  const names = { from: peer, to: own.name };
  return {
    ...names,
    pull: async () => {
      const progress = createProgress(context, `${peer} → ${own.name}`);
      const report = await pullFromPeer(
        { endpoint: own.endpoint, link },
        { retryBlocked: true, onPage: progress.page },
      );
      progress.end();
      return {
        ...names,
        ended: report.ended,
        groups: report.admittedGroups,
        facts: report.factsApplied,
        held: report.factsHeld,
        migrations: report.migrations,
        blocked: report.blocked,
        reason: report.error === null ? null : linkSentence(peer, report.error),
      };
    },
  };
}

/** The peer pulls from here: by itself, and when it is asked to. What went is counted where it was read. */
function inviteLine(
  names: { readonly from: string; readonly to: string },
  { link, served }: { readonly link: WireLink; readonly served: ServedCount },
): Line {
  return {
    ...names,
    pull: async () => {
      const pulled = await link.invite();
      const { facts, migrations } = served.take();
      const moved = { ...names, groups: facts + migrations, facts, held: 0, migrations };
      if (!pulled.ok) {
        return {
          ...moved,
          ended: 'unreachable',
          blocked: null,
          reason: linkSentence(names.to, pulled.error),
        };
      }
      const { ended, blocked } = pulled.value;
      const isFine = ended === 'quiet' || ended === 'blocked';
      return { ...moved, ended, blocked, reason: isFine ? null : `${names.to} ended its pull: ${ended}.` };
    },
  };
}

interface ServedCount {
  readonly endpoint: SyncEndpoint;
  /** What was served since this was asked last. */
  readonly take: () => { readonly facts: number; readonly migrations: number };
}

function countServed(endpoint: SyncEndpoint): ServedCount {
  let facts = 0;
  let migrations = 0;
  return {
    endpoint: {
      ...endpoint,
      readPage: async (peer, request) => {
        const page = await endpoint.readPage(peer, request);
        for (const group of page.ok ? page.value.groups : []) {
          migrations += group.migrations.length;
          facts += group.blocks.reduce((sum, { rows }) => sum + rows.length, 0);
        }
        return page;
      },
    },
    take: () => {
      const taken = { facts, migrations };
      facts = 0;
      migrations = 0;
      return taken;
    },
  };
}

/** A resolution that travels and what it sets free need three; two replicas that keep writing would go on for ever. */
const ROUNDS_MAX = 20;

async function runRounds(lines: readonly Line[]): Promise<readonly Direction[]> {
  const sums = new Map<Line, Direction>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let isStill = true;
    for (const line of lines) {
      const now = await line.pull();
      const before = sums.get(line);
      if (now.facts + now.held + now.migrations > 0) isStill = false;
      sums.set(line, before === undefined ? now : added(before, now));
    }
    if (isStill) break;
  }
  return [...sums.values()];
}

function added(before: Direction, now: Direction): Direction {
  return {
    ...now,
    groups: before.groups + now.groups,
    facts: before.facts + now.facts,
    held: before.held + now.held,
    migrations: before.migrations + now.migrations,
  };
}

function answerOf(directions: readonly Direction[]): CommandResult {
  const text = directions.map(directionWords).join('\n');
  const document = { directions };
  return directions.every(({ ended }) => ended === 'quiet') ? done(document, text) : saysNo(document, text);
}

function directionWords(direction: Direction): string {
  const { from, to, ended, facts, held, migrations, blocked, reason } = direction;
  const moved = [
    facts === 0 ? [] : [countWords(facts, 'fact')],
    migrations === 0 ? [] : [countWords(migrations, 'schema change')],
    held === 0 ? [] : [`${countWords(held, 'fact')} held`],
  ].flat();
  const what = moved.length === 0 ? 'nothing new' : moved.join(', ');
  const line = `${from} → ${to}: ${what}`;
  if (blocked !== null) return `${line}; blocked: ${blocked.message}`;
  return ended === 'quiet' ? `${line}.` : `${line}; ${reason ?? ended}`;
}

interface Progress {
  readonly page: () => void;
  readonly end: () => void;
}

/** A line on stderr that counts pages while a person watches; nothing else. */
function createProgress({ output }: CommandContext, what: string): Progress {
  let pages = 0;
  return {
    page: () => {
      pages += 1;
      if (output.isTerminal) output.err(`\r${what}: ${countWords(pages, 'page')}`);
    },
    end: () => {
      if (output.isTerminal && pages > 0) output.err('\r\u001b[K');
    },
  };
}
