import {
  BlockCause,
  FindingKind,
  HeldReason,
  MigrationType,
  ObjectKind,
  Verdict,
} from '#shared/model/vocabulary.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';
import { parseValue } from './parse-value.ts';
import { replica, replicas, severalReplicas } from './replica-names.ts';
import type { Expectation, ResolveWord } from './scenario.ts';
import {
  filledList,
  filledText,
  list,
  mapPlaces,
  mistake,
  nullOr,
  optional,
  record,
  required,
  text,
  truth,
  whole,
  word,
  type Reader,
} from './yaml-readers.ts';

const COUNT_MAX = 2n ** 53n - 1n;

const STATE_BY_WORD: Readonly<Record<string, ReplicaState>> = {
  'in sync': 'inSync',
  behind: 'behind',
  blocked: 'blocked',
  unreachable: 'unreachable',
  paused: 'paused',
  'too old': 'tooOld',
  incompatible: 'incompatible',
};

export const RESOLVE_WORDS: readonly ResolveWord[] = [
  'keepLocal',
  'takeRemote',
  'merge',
  'renameLocalAside',
  'setAside',
  'retry',
  'skip',
  'rebootstrap',
  'newSite',
];

const on = required(replicas);
const count = optional(whole(0n, COUNT_MAX));
const names = list(filledText);

const rows = record({ on, sql: required(filledText), are: optional(list(list(parseValue))) });
const blocked = record({
  on,
  from: optional(replica),
  object: optional(filledText),
  cause: optional(word(BlockCause.options)),
  mentions: optional(list(filledText)),
});
const held = record({ on, table: required(filledText), reason: optional(word(HeldReason.options)), count });
const table = record({ on, name: required(filledText), columns: optional(names), absent: optional(truth) });
const column = record({
  on,
  table: required(filledText),
  name: required(filledText),
  type: optional(text),
  notNull: optional(truth),
  default: optional(nullOr(text)),
  collation: optional(nullOr(text)),
  primaryKey: optional(whole(0n, COUNT_MAX)),
  absent: optional(truth),
});
const objects = record({ on, kind: required(word(ObjectKind.options)), names: required(names) });
const primaryKey = record({ on, table: required(filledText), columns: required(names) });
const migration = record({
  on,
  type: optional(word(MigrationType.options)),
  object: required(filledText),
  verdict: optional(word(Verdict.options)),
  count,
});
const finding = record({
  on,
  kind: optional(word(FindingKind.options)),
  table: required(filledText),
  count,
});
const log = record({ on, contains: required(filledText) });
const sent = record({ from: required(replica), to: required(replica), rows: required(whole(0n, COUNT_MAX)) });
const journal = record({
  on,
  object: required(filledText),
  option: optional(word(RESOLVE_WORDS)),
  because: optional(text),
});
const status = record({ on, is: required(word(Object.keys(STATE_BY_WORD))) });

const READERS: { readonly [K in Expectation['kind']]: Reader<Extract<Expectation, { kind: K }>> } = {
  rows: (place, scope) => ({ kind: 'rows', ...rows(place, scope) }),
  converged: (place, scope) => ({ kind: 'converged', replicas: severalReplicas(place, scope) }),
  diverged: (place, scope) => ({ kind: 'diverged', replicas: severalReplicas(place, scope) }),
  blocked: (place, scope) => ({ kind: 'blocked', ...blocked(place, scope) }),
  notBlocked: (place, scope) => ({ kind: 'notBlocked', replicas: replicas(place, scope) }),
  held: (place, scope) => ({ kind: 'held', ...held(place, scope) }),
  table: (place, scope) => {
    const said = table(place, scope);
    if (said.absent === true && said.columns !== undefined) {
      mistake(place, 'a table that is to be absent has no columns: leave one of "columns" and "absent" out');
    }
    return { kind: 'table', ...said };
  },
  column: (place, scope) => ({ kind: 'column', ...column(place, scope) }),
  objects: (place, scope) => {
    const { kind: objectKind, ...said } = objects(place, scope);
    return { kind: 'objects', objectKind, ...said };
  },
  primaryKey: (place, scope) => ({ kind: 'primaryKey', ...primaryKey(place, scope) }),
  migration: (place, scope) => ({ kind: 'migration', ...migration(place, scope) }),
  finding: (place, scope) => {
    const { kind: findingKind, ...said } = finding(place, scope);
    return { kind: 'finding', ...said, ...(findingKind !== undefined && { findingKind }) };
  },
  log: (place, scope) => ({ kind: 'log', ...log(place, scope) }),
  sent: (place, scope) => ({ kind: 'sent', ...sent(place, scope) }),
  journal: (place, scope) => ({ kind: 'journal', ...journal(place, scope) }),
  status: (place, scope) => {
    const { on: names, is } = status(place, scope);
    return { kind: 'status', on: names, is: STATE_BY_WORD[is] ?? mistake(place, `unknown state "${is}"`) };
  },
  integrity: (place, scope) => ({ kind: 'integrity', replicas: replicas(place, scope) }),
};

const KINDS = Object.keys(READERS);

/** Reads what stands behind `expect`: exactly one expectation. */
export const parseExpectation: Reader<Expectation> = (place, scope) => {
  const places = mapPlaces(place, scope);
  const stray = [...places].find(([key]) => !isKind(key));
  if (stray !== undefined) {
    return mistake(stray[1], `unknown expectation "${stray[0]}"; known: ${KINDS.join(', ')}`);
  }
  const [first, second] = [...places];
  if (first === undefined) return mistake(place, '"expect" says nothing');
  if (second !== undefined) {
    return mistake(second[1], `one expectation a step: "${first[0]}" and "${second[0]}" need a step each`);
  }
  const [kind, at] = first;
  return isKind(kind) ? READERS[kind](at, scope) : mistake(at, `unknown expectation "${kind}"`);
};

function isKind(key: string): key is Expectation['kind'] {
  return Object.hasOwn(READERS, key);
}

/** Names that a step works on; filled. */
export const tableNames = filledList(filledText);
