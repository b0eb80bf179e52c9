import { parseExpectation, RESOLVE_WORDS, tableNames } from './parse-expectation.ts';
import { duration, lossRate, offset, share, stepNumber } from './duration-and-share.ts';
import { arrow, newReplica, replica, replicas, syncPath } from './replica-names.ts';
import type { Delivery, Step, StepAction } from './scenario.ts';
import {
  filledText,
  mapPlaces,
  mistake,
  optional,
  record,
  required,
  text,
  truth,
  whole,
  word,
  type Place,
  type Reader,
  type Scope,
} from './yaml-readers.ts';

const VERSION_MAX = 2n ** 63n - 1n;
const PAGE_FACTS_MAX = 1000n;
const COUNT_MAX = 1_000_000n;
const atLeastOne = whole(1n, COUNT_MAX);

/** Keys that stand beside the one that names the step. */
const COMPANIONS: Readonly<Record<string, readonly StepAction['kind'][]>> = {
  on: ['sql', 'external'],
  with: ['sync', 'sql', 'notice'],
};

const on = required(replicas);
const between = { from: required(replica), to: required(replica) };

const withhold = record({ ...between, tables: required(tableNames) });
const release = record(between);
const copy = record({ from: required(replica), to: required(newReplica) });
const clock = record({ on, offset: required(offset) });
const bootstrap = record({ on, from: required(replica), breakAt: optional(share) });
const resyncTable = record({ on, from: required(replica), table: required(filledText) });
const resolve = record({
  on,
  object: optional(filledText),
  with: required(word(RESOLVE_WORDS)),
  because: optional(text),
  definition: optional(filledText),
  to: optional(filledText),
});
const undoResolution = record({ on, object: required(filledText) });
const ofTable = record({ on, table: required(filledText) });
const deleteHeld = record({ on, table: required(filledText), because: optional(text) });
const seed = record({
  on,
  ddl: required(filledText),
  version: required(whole(0n, VERSION_MAX)),
  builtAt: optional(instant),
});
const declare = record({
  on,
  schema: optional(filledText),
  lexicons: optional(filledText),
  typeChange: optional(word(['recreate', 'convert'])),
});
const prune = record({ on, olderThan: required(duration) });
const restore = record({ on, from: required(stepNumber) });
const delivery = record({
  duplicate: optional(truth),
  reorder: optional(truth),
  drop: optional(lossRate),
  killAfter: optional(share),
  killAtWrite: optional(atLeastOne),
  pageFacts: optional(whole(1n, PAGE_FACTS_MAX)),
  pages: optional(atLeastOne),
});
const death = record({ killAtWrite: required(atLeastOne) });

type ReadAction = (place: Place, scope: Scope, beside: ReadonlyMap<string, Place>) => StepAction;

const READERS: Readonly<Record<StepAction['kind'], ReadAction>> = {
  sql: (place, scope, beside) => ({
    kind: 'sql',
    on: besideOn(place, scope, beside),
    sql: filledText(place, scope),
    ...parseDeath(beside.get('with'), scope),
  }),
  external: (place, scope, beside) => ({
    kind: 'external',
    on: besideOn(place, scope, beside),
    sql: filledText(place, scope),
  }),
  notice: (place, scope, beside) => ({
    kind: 'notice',
    on: replicas(place, scope),
    ...parseDeath(beside.get('with'), scope),
  }),
  reopen: (place, scope) => ({ kind: 'reopen', on: replicas(place, scope) }),
  wait: (place, scope) => ({ kind: 'wait', ms: duration(place, scope) }),
  sync: (place, scope, beside) => ({
    kind: 'sync',
    path: syncPath(place, scope),
    delivery: parseDelivery(beside.get('with'), scope),
  }),
  withhold: (place, scope) => ({ kind: 'withhold', ...withhold(place, scope) }),
  release: (place, scope) => ({ kind: 'release', ...release(place, scope) }),
  copy: (place, scope) => {
    const said = copy(place, scope);
    scope.replicas.add(said.to);
    return { kind: 'copy', ...said };
  },
  clock: (place, scope) => {
    const said = clock(place, scope);
    return { kind: 'clock', on: said.on, offsetMs: said.offset };
  },
  crash: (place, scope) => ({ kind: 'crash', on: replicas(place, scope) }),
  pause: (place, scope) => ({ kind: 'pause', path: arrow(place, scope) }),
  resume: (place, scope) => ({ kind: 'resume', path: arrow(place, scope) }),
  bootstrap: (place, scope) => ({ kind: 'bootstrap', ...bootstrap(place, scope) }),
  resyncTable: (place, scope) => ({ kind: 'resyncTable', ...resyncTable(place, scope) }),
  resolve: parseResolve,
  undoResolution: (place, scope) => ({ kind: 'undoResolution', ...undoResolution(place, scope) }),
  quarantine: (place, scope) => ({ kind: 'quarantine', ...ofTable(place, scope) }),
  drain: (place, scope) => ({ kind: 'drain', ...ofTable(place, scope) }),
  deleteHeld: (place, scope) => ({ kind: 'deleteHeld', ...deleteHeld(place, scope) }),
  seed: (place, scope) => ({ kind: 'seed', ...seed(place, scope) }),
  declare: parseDeclare,
  prune: (place, scope) => {
    const said = prune(place, scope);
    return { kind: 'prune', on: said.on, olderThanMs: said.olderThan };
  },
  restore: (place, scope) => {
    const said = restore(place, scope);
    return { kind: 'restore', on: said.on, fromStep: said.from };
  },
  expect: (place, scope) => ({ kind: 'expect', expectation: parseExpectation(place, scope) }),
};

/** Reads one step: the key that names it, what belongs beside it, and `fails`. */
export const parseStep: Reader<Step> = (place, scope) => {
  const places = mapPlaces(place, scope);
  const [first, second] = [...places].filter(([key]) => isKind(key));
  refuseStrayKeys(places, first?.[0]);
  if (first === undefined)
    return mistake(place, `a step must have one of the keys ${Object.keys(READERS).join(', ')}`);
  const [kind, at] = first;
  if (second !== undefined) {
    return mistake(second[1], `one kind a step: "${kind}" and "${second[0]}" need a step each`);
  }
  if (!isKind(kind)) return mistake(at, `unknown step "${kind}"`);
  const [fails, mayFail] = [places.get('fails'), places.get('mayFail')];
  return {
    line: place.line,
    ...READERS[kind](at, scope, places),
    ...(fails !== undefined && { fails: filledText(fails, scope) }),
    ...(mayFail !== undefined && { mayFail: truth(mayFail, scope) }),
  };
};

function refuseStrayKeys(places: ReadonlyMap<string, Place>, kind: string | undefined): void {
  for (const [key, at] of places) {
    if (isKind(key) || key === 'fails' || key === 'mayFail') continue;
    const owners = COMPANIONS[key];
    if (owners === undefined) {
      mistake(
        at,
        `unknown key "${key}" in a step; known: on, with, fails, mayFail, ${Object.keys(READERS).join(', ')}`,
      );
    }
    if (kind !== undefined && !owners.some((owner) => owner === kind)) {
      mistake(at, `unknown key "${key}" in a "${kind}" step; it stands beside ${owners.join(' and ')}`);
    }
  }
}

function besideOn(place: Place, scope: Scope, beside: ReadonlyMap<string, Place>): readonly string[] {
  const at = beside.get('on');
  return at === undefined
    ? mistake(place, `${place.what} needs "on": the replica it runs on`)
    : replicas(at, scope);
}

function parseDelivery(place: Place | undefined, scope: Scope): Delivery {
  const { pageFacts, pages, killAtWrite, ...said } = place === undefined ? {} : delivery(place, scope);
  return {
    ...{ duplicate: false, reorder: false, drop: 0, ...said },
    ...(killAtWrite !== undefined && { killAtWrite: Number(killAtWrite) }),
    ...(pageFacts !== undefined && { pageFacts: Number(pageFacts) }),
    ...(pages !== undefined && { pages: Number(pages) }),
  };
}

function parseDeath(place: Place | undefined, scope: Scope): { readonly killAtWrite?: number } {
  return place === undefined ? {} : { killAtWrite: Number(death(place, scope).killAtWrite) };
}

function parseResolve(place: Place, scope: Scope): StepAction {
  const said = resolve(place, scope);
  if ((said.with === 'merge') !== (said.definition !== undefined)) {
    mistake(place, '"definition" goes with merge, and merge needs it');
  }
  if ((said.with === 'renameLocalAside') !== (said.to !== undefined)) {
    mistake(place, '"to" goes with renameLocalAside, and renameLocalAside needs it');
  }
  // What a peer is blocked for has no object.
  const isOfPeer = said.with === 'newSite' || said.with === 'rebootstrap';
  if (said.object === undefined && !isOfPeer) mistake(place, 'the key "object" is missing');
  return { kind: 'resolve', ...said, object: said.object ?? '' };
}

function parseDeclare(place: Place, scope: Scope): StepAction {
  const { on: names, schema, lexicons, typeChange } = declare(place, scope);
  if ((schema === undefined) === (lexicons === undefined)) {
    mistake(place, '"declare" needs one of "schema" and "lexicons"');
  }
  const source =
    schema === undefined
      ? { kind: 'lexicons' as const, path: lexicons ?? '' }
      : { kind: 'schema' as const, sql: schema };
  return { kind: 'declare', on: names, source, ...(typeChange !== undefined && { typeChange }) };
}

function instant(place: Place, scope: Scope): string {
  const said = filledText(place, scope);
  return Number.isNaN(Date.parse(said))
    ? mistake(place, `${place.what} must be a time such as 2026-01-01T00:00:00Z, not "${said}"`)
    : said;
}

function isKind(key: string): key is StepAction['kind'] {
  return Object.hasOwn(READERS, key);
}
