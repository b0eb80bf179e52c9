import type { ActivityEntry } from '#shared/api/activity-procedures.ts';
import { Verdict } from '#shared/model/vocabulary.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

import { optionTitle } from './option-words.ts';
import { textToSentence } from './sentence-model.ts';
import type { NamePart, Sentence } from './sentence-model.ts';
import { VERDICT_LOOK } from './verdict-look.ts';
import { counted } from './words-model.ts';

/** One line of the activity list: the state whose icon stands before it, and the sentence. */
export interface ActivityLine {
  readonly state: ReplicaState;
  readonly sentence: Sentence;
}

/** Says what happened, as a sentence with the names first. */
export function activityLine(entry: ActivityEntry): ActivityLine {
  const facts = factReader(entry.facts);
  const name: NamePart =
    entry.ref === null
      ? { name: entry.name ?? 'A replica' }
      : { name: entry.name ?? entry.ref, to: { screen: 'replica', ref: entry.ref, tab: 'overview' } };
  return LINES[entry.kind]({ name, ...facts });
}

interface Teller {
  readonly name: NamePart;
  /** A fact as a name, when it is there. */
  readonly named: (fact: string, fallback: string) => NamePart;
  readonly count: (fact: string) => number;
  readonly text: (fact: string) => string | null;
  /** The title of a way out. */
  readonly words: (fact: string) => string;
  /** `: reason`, or nothing. */
  readonly tail: (fact: string) => string;
}

type Line = (teller: Teller) => ActivityLine;

const well = (sentence: Sentence): ActivityLine => ({ state: 'inSync', sentence });
const as = (state: ReplicaState, sentence: Sentence): ActivityLine => ({ state, sentence });

const LINES: Readonly<Record<ActivityEntry['kind'], Line>> = {
  replicaOpened: ({ name }) => well([name, ' was opened.']),
  replicaAttached: ({ name }) => well([name, ' was taken under sync.']),
  replicaCreated: ({ name }) => well([name, ' was made, empty.']),
  replicaRemoved: ({ name }) => as('paused', [name, ' was taken out of the fleet; its file stays.']),
  replicaFailed: ({ name, tail }) => as('damaged', [name, ' cannot be opened', tail('reason'), '.']),
  exampleMade: ({ count }) => well([`The example fleet was made, with ${counted(count('rows'), 'row')}.`]),
  hostConnected: ({ named }) => well([named('url', 'A host'), ' was connected.']),
  hostDisconnected: ({ named }) => as('unreachable', [named('url', 'A host'), ' was disconnected.']),
  linkAdded: ({ name, named }) => well([name, ' was linked to ', named('peer', 'a peer'), '.']),
  linkRemoved: ({ name, named }) =>
    as('paused', ['The link of ', name, ' to ', named('peer', 'a peer'), ' was removed.']),
  linkPaused: ({ name, named }) =>
    as('paused', ['The link of ', name, ' to ', named('peer', 'a peer'), ' was paused.']),
  linkResumed: ({ name, named }) =>
    well(['The link of ', name, ' to ', named('peer', 'a peer'), ' was resumed.']),
  linkFailed: ({ name, named, tail }) =>
    as('unreachable', [name, ' does not reach ', named('peer', 'its peer'), tail('reason'), '.']),
  synced: ({ name, named, count }) =>
    well([name, ` took in ${counted(count('changes'), 'change')} of `, named('peer', 'a peer'), '.']),
  schemaDecided: decidedLine,
  migrationsAdmitted: ({ name, named, count, text }) =>
    text('peer') === null
      ? well([name, ` recorded ${counted(count('migrations'), 'migration')}.`])
      : well([
          name,
          ` admitted ${counted(count('migrations'), 'migration')} of `,
          named('peer', 'a peer'),
          '.',
        ]),
  blocked: ({ name, named }) =>
    as('blocked', [
      name,
      ' is blocked on ',
      named('object', 'an object'),
      ', in a batch of ',
      named('peer', 'a peer'),
      '.',
    ]),
  freed: ({ name, named }) => well([name, ' came free: ', named('object', 'the conflict'), ' is decided.']),
  resolved: ({ name, named, words, tail }) =>
    well([
      named('object', 'A conflict'),
      ' was decided on ',
      name,
      `: ${words('option')}`,
      tail('because'),
      '.',
    ]),
  executed: ({ name }) => well([name, ' ran a statement.']),
  workerCrashed: ({ name }) => as('damaged', ['The worker of ', name, ' stopped and was started again.']),
  tokenCreated: ({ named }) => well(['A token was made: ', named('token', 'no name'), '.']),
  tokenWithdrawn: ({ named }) => as('paused', ['A token was withdrawn: ', named('token', 'no name'), '.']),
};

/** `till-1: add column orders.tier of hq was executed. orders had no such column here, so it was added.` */
function decidedLine({ name, text }: Teller): ActivityLine {
  const verdict = Verdict.catch('executed').parse(text('verdict'));
  const peer = text('peer');
  const isOwn = peer === null && verdict === 'executed';
  const reason = isOwn ? null : text('reason');
  return as(VERDICT_LOOK[verdict].state, [
    name,
    `: ${text('type')?.replaceAll('_', ' ') ?? 'a change of'} `,
    { name: [text('object') ?? 'an object', text('element')].filter((part) => part !== null).join('.') },
    ...(peer === null ? [] : [' of ', { name: text('origin') ?? peer }]),
    isOwn ? ' was written here.' : ` ${SAID[verdict]}.`,
    ...(reason === null ? [] : [' ', ...textToSentence(reason.replace(/\.?$/, '.'))]),
  ]);
}

const SAID: Readonly<Record<Verdict, string>> = {
  executed: 'was executed',
  alreadyApplied: 'was applied already',
  superseded: 'is superseded',
  convergedWithWarning: 'converged, with a warning',
  conflict: 'is in conflict',
  waitingForRows: 'waits for rows',
};

function factReader(facts: ActivityEntry['facts']): Omit<Teller, 'name'> {
  const text = (fact: string): string | null => {
    const value = facts[fact];
    return value === undefined || value === null ? null : String(value);
  };
  return {
    named: (fact, fallback) => ({ name: text(fact) ?? fallback }),
    count: (fact) => Number(text(fact) ?? 0),
    text,
    words: (fact) => optionTitle(text(fact) ?? 'a way out'),
    tail: (fact) => {
      const value = text(fact);
      return value === null ? '' : `: ${value.replace(/\.$/, '')}`;
    },
  };
}
