import type { Check, Checklist, ChecklistItem } from '#shared/api/replica-procedures.ts';
import type { Fleet, FleetLink, FleetReplica, LinkHealth } from '#shared/api/fleet-replica.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { LINK_AT_REST, type LinkState } from '../peers/link-state.ts';
import type { LinkError } from '../peers/peer-link.ts';
import type { PullRefusal } from '../replica/replica.ts';
import { shortSite } from './fleet-view.ts';
import { describeLinkError } from './link-words.ts';
import type { LinkNow } from './links.ts';

/** A clock further ahead than this is not believed; the default of the setting. */
const DRIFT_MAX_MS = 60_000;

const WORST_FIRST: readonly LinkHealth[] = [
  'tooOld',
  'blocked',
  'unreachable',
  'paused',
  'behind',
  'healthy',
];

export interface ChecklistInput {
  readonly replica: FleetReplica;
  readonly peer?: string | undefined;
  readonly fleet: Fleet;
  readonly links: readonly LinkNow[];
}

interface Facts {
  readonly peerRef: string | null;
  readonly peerSite: SiteId | null;
  readonly replica: FleetReplica;
  readonly peerName: string;
  readonly peer: FleetReplica | null;
  readonly link: FleetLink;
  /** What ended the last pull from the peer. */
  readonly error: LinkError | PullRefusal | null;
  /** Changes of the peer that it has not admitted. */
  readonly lag: number | null;
  readonly skewMs: number | null;
}

/**
 * Why is nothing arriving? Eight checks in the order of a change's path, for one peer: the one that was asked for, or
 * the one whose link is worst.
 */
export function buildChecklist(input: ChecklistInput): Checklist {
  const link = findLink(input);
  if (link === undefined) {
    const text = 'It has no link: link it to a peer, so that changes can arrive.';
    return { peer: null, items: [{ check: 'link', verdict: 'stops', text }] };
  }
  const facts = gatherFacts(input, link);
  const peer = { ref: facts.peerRef, site: facts.peerSite, name: facts.peerName };
  return { peer, items: CHECKS.map((check) => check(facts)) };
}

/** The link seen from the replica: the session that pulls for a is the first of a link, that for b the second. */
function gatherFacts({ replica, fleet, links }: ChecklistInput, link: FleetLink): Facts {
  const isA = link.a === replica.ref;
  const peerRef = isA ? link.b : link.a;
  const peer = fleet.replicas.find(({ ref }) => ref === peerRef) ?? null;
  const own = links.find(({ record }) => record.id === link.id);
  const state = (isA ? own?.states[0] : own?.states[1]) ?? LINK_AT_REST;
  return {
    replica,
    link,
    error: link.paused ? null : state.lastError,
    lag: isA ? link.lagBtoA : link.lagAtoB,
    skewMs: state.skewMs,
    peer,
    peerRef,
    ...nameOfPeer(peer, { link, state }),
  };
}

function nameOfPeer(
  peer: FleetReplica | null,
  other: { readonly link: FleetLink; readonly state: LinkState },
): Pick<Facts, 'peerName' | 'peerSite'> {
  const heard = other.state.peer?.site ?? null;
  if (peer === null) return { peerName: other.link.bName, peerSite: heard };
  return { peerName: peer.name, peerSite: peer.status?.site ?? heard };
}

function findLink({ replica, peer, fleet }: ChecklistInput): FleetLink | undefined {
  return fleet.links
    .filter(({ a, b }) => a === replica.ref || b === replica.ref)
    .filter(({ a, b }) => peer === undefined || a === peer || b === peer)
    .sort((one, other) => WORST_FIRST.indexOf(one.health) - WORST_FIRST.indexOf(other.health))[0];
}

const CONNECTION_CODES = new Set([
  'unreachable',
  'closed',
  'timed-out',
  'no-such-replica',
  'not-offered',
  'internal',
]);
const IDENTITY_CODES = new Set(['unauthorized', 'forbidden', 'wrong-replica', 'duplicate-site']);
const PROTOCOL_CODES = new Set(['no-common-protocol', 'bad-peer', 'peer-failed']);
const CURSOR_CODES = new Set(['too-old', 'epoch-changed']);

const CHECKS: readonly ((facts: Facts) => ChecklistItem)[] = [
  checkLink,
  (facts) =>
    checkByCode(facts, {
      check: 'identity',
      codes: IDENTITY_CODES,
      text: `${facts.peerName} is who it should be.`,
    }),
  (facts) =>
    checkByCode(facts, {
      check: 'protocol',
      codes: PROTOCOL_CODES,
      text: 'Both sides speak the same protocol.',
    }),
  checkClock,
  checkSchema,
  checkCursor,
  checkHeld,
  checkBlocked,
];

function checkLink({ link, error, peerName }: Facts): ChecklistItem {
  if (link.paused) return item('link', 'stops', `The link to ${peerName} is paused: resume it.`);
  if (error !== null && CONNECTION_CODES.has(codeOf(error)))
    return item('link', 'stops', describeLinkError(error));
  return item('link', 'ok', `The link to ${peerName} is up.`);
}

function checkByCode(
  facts: Facts,
  of: { readonly check: Check; readonly codes: ReadonlySet<string>; readonly text: string },
): ChecklistItem {
  if (facts.error !== null && of.codes.has(codeOf(facts.error))) {
    return item(of.check, 'stops', describeLinkError(facts.error));
  }
  return isReached(facts)
    ? item(of.check, 'ok', of.text)
    : item(of.check, 'unknown', 'It cannot be told while the link is down.');
}

function checkClock({ skewMs, peerName }: Facts): ChecklistItem {
  if (skewMs === null) return item('clock', 'unknown', `The clock of ${peerName} was not heard yet.`);
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (skewMs > DRIFT_MAX_MS) {
    const text = `The clock of ${peerName} is ${seconds} s ahead, more than the 60 s allowed: its changes wait until the clock is right.`;
    return item('clock', 'stops', text);
  }
  if (skewMs < -DRIFT_MAX_MS) {
    return item(
      'clock',
      'note',
      `The clock of ${peerName} is ${seconds} s behind: set it right, or it refuses changes from here.`,
    );
  }
  return item('clock', 'ok', `The clocks differ by ${seconds} s.`);
}

function checkSchema({ replica, peer, peerName }: Facts): ChecklistItem {
  const own = replica.status?.fingerprint;
  const theirs = peer?.status?.fingerprint;
  if (own === undefined || theirs === undefined) {
    return item('schema', 'unknown', `The schema of ${peerName} is not known here.`);
  }
  return own === theirs
    ? item('schema', 'ok', `Both have the same schema (${own.slice(0, 6)}).`)
    : item(
        'schema',
        'note',
        `The schemas differ: ${own.slice(0, 6)} here, ${theirs.slice(0, 6)} on ${peerName}.`,
      );
}

function checkCursor({ error, lag, peerName }: Facts): ChecklistItem {
  if (error !== null && CURSOR_CODES.has(codeOf(error)))
    return item('cursor', 'stops', describeLinkError(error));
  if (lag === null) return item('cursor', 'unknown', `How far ${peerName} has got is not known here.`);
  return lag === 0
    ? item('cursor', 'ok', `It has all that ${peerName} has.`)
    : item(
        'cursor',
        'note',
        `${count(lag, 'change')} of ${peerName} ${lag === 1 ? 'is' : 'are'} not here yet.`,
      );
}

function checkHeld({ replica: { heldRows } }: Facts): ChecklistItem {
  return heldRows === 0
    ? item('held', 'ok', 'Nothing is held.')
    : item(
        'held',
        'note',
        `${count(heldRows, 'change')} held: they go in by themselves when there is a place for them.`,
      );
}

function checkBlocked({ replica, peer, peerName, peerSite }: Facts): ChecklistItem {
  // A line is known by its site alone until the replica that has it has answered.
  const unnamed = replica.blocked.filter(({ from }) => from === null);
  const blocked =
    replica.blocked.find(({ from }) => from !== null && from === peer?.ref) ??
    unnamed.find(({ fromName }) => fromName === (peerSite === null ? peerName : shortSite(peerSite))) ??
    unnamed.find(({ fromName }) => peer === null && fromName === peerName);
  if (blocked === undefined) {
    return peerSite === null && unnamed.length > 0
      ? item('blocked', 'unknown', `Whether a line of ${peerName} is blocked is not known until it answers.`)
      : item('blocked', 'ok', `Nothing of ${peerName} is blocked.`);
  }
  const { object, behindChanges } = blocked;
  const text = `The line of ${peerName} stops at ${object}; ${count(behindChanges, 'change')} behind it. Decide it, and they flow.`;
  return item('blocked', 'stops', text);
}

/** Something of the peer was heard since the link is up. */
function isReached({ error, link }: Facts): boolean {
  return !link.paused && (error === null || !CONNECTION_CODES.has(codeOf(error)));
}

function codeOf(error: LinkError | PullRefusal): string {
  return error.code === 'refused' ? error.refusal.code : error.code;
}

function item(check: Check, verdict: ChecklistItem['verdict'], text: string): ChecklistItem {
  return { check, verdict, text };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
