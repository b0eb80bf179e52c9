import { CallError } from '../api/client.ts';
import type { AnyFailure } from '../api/client.ts';

import { byteSize, lengthOfTime } from './words-model.ts';

/** A failure in words: why, and the next step. Codes stand in `details` alone. */
export interface FailureWords {
  readonly why: string;
  readonly next: string;
  readonly details: string;
}

/** Says any failure of a call. What is not a failure of the contract is a bug and is said as one. */
export function failureWords(error: unknown): FailureWords {
  if (!(error instanceof CallError)) {
    const details = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { ...UNKNOWN_CASE, details };
  }
  const { failure } = error;
  return { ...wordsOf(failure), details: JSON.stringify(failure, null, 2) };
}

type Words = Omit<FailureWords, 'details'>;
type FailureOf<Code extends AnyFailure['code']> = Extract<AnyFailure, { readonly code: Code }>;
type Vocabulary = { readonly [Code in AnyFailure['code']]: (failure: FailureOf<Code>) => Words };

function wordsOf(failure: AnyFailure): Words {
  // The entry belongs to the code of this very failure, which the compiler cannot see through the index.
  const say = VOCABULARY[failure.code] as (failure: AnyFailure) => Words;
  return say(failure);
}

const UNKNOWN_CASE: Words = {
  why: 'The console met a case that it does not know.',
  next: 'Try again; if it stays, the details help whoever mends it.',
};

const words = (why: string, next: string) => (): Words => ({ why, next });

/** Failures of files say in their own sentence what is and what helps. */
const ofFile = ({ message }: { readonly message: string }): Words => ({
  why: message,
  next: 'The file is as it was.',
});

const ofConflict =
  (next: string) =>
  ({ message }: { readonly message: string }): Words => ({ why: message, next });

const ofStatement = ({ message }: { readonly message: string }): Words => ({
  why: message,
  next: 'Nothing after it was run.',
});

const VOCABULARY: Vocabulary = {
  'host-unreachable': words('The host does not answer.', 'It is tried again by itself; nothing is lost.'),
  'not-allowed': words('Your token may read and not change anything.', 'Sign in with one that may operate.'),
  'unknown-method': words('The host is older than this page.', 'Reload the page, or update the host.'),
  'bad-request': words('The host does not take what was typed.', 'Change it, then try again.'),
  internal: words('The host met a case that it does not know.', 'Its log says more; trying again may help.'),

  'file-not-found': ofFile,
  'not-a-database': ofFile,
  'damaged-file': ofFile,
  'empty-file': ofFile,
  'unsupported-encoding': ofFile,
  'other-format': ofFile,
  'no-rights': ofFile,
  locked: ofFile,
  'in-use-by-host': ofFile,
  'duplicate-site': ofFile,
  'file-exists': ofFile,
  'folder-not-found': ofFile,

  'replica-unknown': words(
    'The fleet has no such replica.',
    'It may have been taken out; the fleet shows what is there.',
  ),
  'replica-unavailable': ({ reason }) => ({ why: reason, next: 'It is tried again by itself.' }),
  'same-replica': words('A link needs two different replicas.', 'Choose another for one of its ends.'),
  'link-exists': words('These two are linked already.', 'Look at the map; resume the link if it is paused.'),
  'link-unknown': words('The fleet has no such link.', 'It may have been taken out meanwhile.'),
  'both-remote': words('Both replicas are on other hosts.', 'Link them on one of those hosts.'),
  'on-remote-host': ({ url }) => ({
    why: `It belongs to ${url}, which alone can do this.`,
    next: 'Do it there.',
  }),
  'example-exists': ({ folder }) => ({
    why: `The example fleet is there already, in ${folder}.`,
    next: 'Open its files, or move the folder away.',
  }),

  'bad-url': ({ url }) => ({
    why: `${url} is not the address of a host.`,
    next: 'It looks like http://127.0.0.1:4021.',
  }),
  'host-not-reached': ({ url, detail }) => ({
    why: `${url} does not answer: ${detail}`,
    next: 'Check the address, and that the host runs.',
  }),
  'token-refused': ({ url }) => ({
    why: `${url} refuses the token.`,
    next: 'Make one there with “concord token”, with the role read or operate.',
  }),
  'other-contract': ({ theirs, ours }) => ({
    why: `That host speaks version ${theirs} of the contract, this one ${ours}.`,
    next: 'Update the older of the two.',
  }),
  'host-exists': ({ url }) => ({
    why: `${url} is connected already.`,
    next: 'Its replicas are in the fleet.',
  }),
  'host-unknown': ({ url }) => ({ why: `${url} is not connected.`, next: 'Connect it first.' }),

  'no-such-conflict': ofConflict(
    'It may have been decided elsewhere meanwhile; the replica shows what is open.',
  ),
  'option-does-not-fit': ofConflict('Choose another way out.'),
  'not-supported-yet': ofConflict('Choose another way; nothing was changed.'),
  'resolution-failed': ofConflict('Nothing was changed. Choose another way out, or try again.'),

  'nothing-held': ofConflict('It may have gone in by itself meanwhile; the list shows what is held.'),
  'reason-missing': ofConflict('Write a reason, then try again.'),
  // Its sentence says what would help.
  'has-no-place': ofConflict(''),

  'no-schema-statement': ofConflict('Write CREATE, DROP or ALTER.'),
  'no-room': ofConflict('Make room there, then try again; nothing was changed.'),
  'copy-failed': ofConflict('Nothing was changed; try again.'),

  'sql-error': ofStatement,
  sqlite: ofStatement,
  'ddl-syntax': ofStatement,
  'refused-statement': ofStatement,
  'not-read-only': words('The statement would change something.', 'Here only statements that read are run.'),
  'timed-out': ({ limitMs }) => ({
    why: `The query took longer than ${lengthOfTime(limitMs)} and was ended.`,
    next: 'Narrow it down.',
  }),
  'result-too-large': ({ limitBytes }) => ({
    why: `The result is larger than ${byteSize(limitBytes)}.`,
    next: 'Narrow it down.',
  }),
};
