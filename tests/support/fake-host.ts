import type { ActivityEntry } from '#shared/api/activity-procedures.ts';
import type { ResolutionOutcome } from '#shared/api/blocked-procedures.ts';
import type { Method } from '#shared/api/contract.ts';
import type { Push, Request } from '#shared/api/envelope.ts';
import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { CallFailure, Input, Output } from '#shared/api/types.ts';
import type { JournalEntry } from '#shared/model/views.ts';
import type { Result } from '#shared/result.ts';
import { err, ok } from '#shared/result.ts';
import type { Link, LinkState } from '#renderer/api/link.ts';

import {
  MINUTE_MS,
  NOW_MS,
  ORDERS_CONFLICT,
  OTHER_FINGERPRINT,
  SHARED_FINGERPRINT,
  aFleet,
  aSite,
  shopsFleet,
  shopsFreed,
} from './fake-fleet.ts';
import { aCatalog, aDetail, aHeld, anActivity, aShape, LOCAL_ORDERS, REMOTE_ORDERS } from './fake-views.ts';
import { exampleMigrations } from './fake-history.ts';

type Answers = { readonly [M in Method]?: (input: Input<M>) => Result<Output<M>, CallFailure<M>> };

/** A host in the page: answers by the contract from memory, and can be made to fail, wait or go away. */
export interface FakeHost {
  readonly link: Link;
  readonly fleet: () => Fleet;
  readonly setFleet: (fleet: Fleet) => void;
  /** From now on this method answers so; tests override single answers. */
  readonly answer: <M extends Method>(
    method: M,
    answer: (input: Input<M>) => Result<Output<M>, CallFailure<M>>,
  ) => void;
  /** From now on this method is not answered at all. */
  readonly keepWaiting: (method: Method) => void;
  readonly push: (push: Push['push']) => void;
  readonly setLinkState: (state: LinkState) => void;
  /** What was asked, in order. */
  readonly asked: readonly { readonly method: string; readonly input: unknown }[];
}

export function createFakeHost(initial: Fleet = shopsFleet()): FakeHost {
  let fleet = initial;
  let linkState: LinkState = { status: 'open' };
  const journal: JournalEntry[] = [];
  const activity: ActivityEntry[] = exampleActivity();
  const asked: { method: string; input: unknown }[] = [];
  const waiting = new Set<Method>();
  const overrides = new Map<Method, (input: never) => unknown>();
  const pushListeners = new Set<(message: unknown) => void>();
  const stateListeners = new Set<() => void>();

  const push: FakeHost['push'] = (said) => {
    for (const listener of pushListeners) listener({ push: said });
  };
  const setFleet = (next: Fleet): void => {
    fleet = next;
    push({ topic: 'fleet' });
  };
  const standard = standardAnswers({ fleet: () => fleet, setFleet, journal, activity, push });

  return {
    link: {
      send: async (request: Request) => {
        const method = request.method as Method;
        asked.push({ method, input: request.input });
        if (waiting.has(method)) return new Promise(() => undefined);
        const answer = overrides.get(method) ?? standard[method];
        const result = answer?.(request.input as never) ?? err({ code: 'unknown-method', method });
        return structuredClone({ id: request.id, result });
      },
      onPush: (listener) => {
        pushListeners.add(listener);
        return () => pushListeners.delete(listener);
      },
      state: {
        read: () => linkState,
        subscribe: (listener) => {
          stateListeners.add(listener);
          return () => stateListeners.delete(listener);
        },
      },
    },
    fleet: () => fleet,
    setFleet,
    answer: (method, answer) => {
      overrides.set(method, answer);
    },
    keepWaiting: (method) => waiting.add(method),
    push,
    setLinkState: (state) => {
      linkState = state;
      for (const listener of stateListeners) listener();
    },
    asked,
  };
}

interface Memory {
  readonly fleet: () => Fleet;
  readonly setFleet: (fleet: Fleet) => void;
  readonly journal: JournalEntry[];
  readonly activity: ActivityEntry[];
  readonly push: FakeHost['push'];
}

function standardAnswers(memory: Memory): Answers {
  return { ...fleetAnswers(memory), ...replicaAnswers(memory), ...blockedAnswers(memory) };
}

function fleetAnswers({ fleet, setFleet, activity }: Memory): Answers {
  return {
    'host.info': () =>
      ok({
        name: 'ines-laptop',
        version: '0.1.0',
        contractVersion: 1,
        kind: 'headless' as const,
        dataDir: '/home/ines/Concord',
        sqliteVersion: '3.54.1',
        nodeVersion: '24.22.3',
        platform: 'linux x64',
      }),
    'fleet.get': () => ok(fleet()),
    'fleet.makeExample': () => {
      setFleet(shopsFleet());
      return ok({
        refs: fleet().replicas.map(({ ref }) => ref),
        folder: '/home/ines/Concord/example',
        rows: 5210,
      });
    },
    'fleet.openDatabase': ({ path }) =>
      path.endsWith('.db')
        ? ok({ ref: 'hq', attached: true, journalModeChanged: true, tables: 11 })
        : err({
            code: 'not-a-database',
            path,
            message: `${path} is not a SQLite database. Choose another file.`,
          }),
    'fleet.connectHost': ({ url }) => err({ code: 'token-refused', url }),
    'fleet.addLink': ({ a, b }) => ok({ id: `${a}-${b}` }),
    'fleet.pauseLink': ({ id }) => {
      setFleet(withLinks(fleet(), id, { paused: true, health: 'paused' }));
      return ok(null);
    },
    'fleet.resumeLink': ({ id }) => {
      setFleet(withLinks(fleet(), id, { paused: false, health: 'healthy' }));
      return ok(null);
    },
    'fleet.syncNow': () => ok({ rounds: 2, changes: 41, stopped: [] }),
    'activity.list': ({ before, limit }) =>
      ok(
        activity
          .filter(({ id }) => before === undefined || id < before)
          .sort((a, b) => b.id - a.id)
          .slice(0, limit),
      ),
  };
}

function withLinks(fleet: Fleet, id: string, change: Partial<Fleet['links'][number]>): Fleet {
  return { ...fleet, links: fleet.links.map((link) => (link.id === id ? { ...link, ...change } : link)) };
}

function replicaAnswers({ fleet, journal }: Memory): Answers {
  const find = (ref: string) => fleet().replicas.find((replica) => replica.ref === ref);
  return {
    'replica.get': ({ ref }) => {
      const replica = find(ref);
      return replica === undefined ? err({ code: 'replica-unknown', ref }) : ok(replica);
    },
    'replica.catalog': ({ ref }) => ok(aCatalog(find(ref)?.state ?? 'inSync')),
    'replica.migrations': ({ ref, verdict, object }) =>
      ok(
        exampleMigrations(ref).filter(
          (row) =>
            (verdict === undefined || row.verdict === verdict) &&
            (object === undefined || row.object === object),
        ),
      ),
    'replica.blocked': ({ ref }) => {
      const detail = aDetail(fleet(), ref);
      if (detail === null) return ok([]);
      const { fromRef: _ref, fromName: _name, sides: _sides, alsoStuck: _stuck, ...view } = detail;
      return ok([view]);
    },
    'replica.held': ({ ref }) => {
      const rows = find(ref)?.heldRows ?? 0;
      return ok({
        counts: rows === 0 ? [] : [{ table: 'gift_vouchers', reason: 'unknownTable' as const, rows }],
        items: Array.from({ length: rows }, (_, index) => aHeld(index + 1)),
      });
    },
    'replica.measureHeld': ({ ref, selection }) => {
      const changes = selection.ids?.length ?? find(ref)?.heldRows ?? 0;
      return ok({
        changes,
        rows: changes,
        bytes: 96 * changes,
        tables: ['gift_vouchers'],
        authors: [aSite('hq')],
      });
    },
    'replica.journal': () => ok(journal),
    'replica.findings': ({ ref }) => ok(ref === 'hq' ? EXAMPLE_FINDINGS : []),
    'replica.checklist': ({ ref }) => ok(exampleChecklist(fleet(), ref)),
  };
}

const EXAMPLE_FINDINGS: Output<'replica.findings'> = [
  {
    kind: 'noPrimaryKey',
    table: 'print_queue',
    detail: 'has no primary key, so its rows do not sync.',
    advice: 'Give it one.',
    rowCount: null,
    hasMore: false,
    rows: [],
    sinceMs: NOW_MS - 3 * 24 * 60 * MINUTE_MS,
  },
  {
    kind: 'drift',
    table: 'products',
    detail: 'the column order differs from market.',
    advice: 'That is harmless and needs nothing.',
    rowCount: null,
    hasMore: false,
    rows: [],
    sinceMs: NOW_MS - 26 * 60 * MINUTE_MS,
  },
];

function exampleChecklist(fleet: Fleet, ref: string): Output<'replica.checklist'> {
  const brief = fleet.replicas.find((replica) => replica.ref === ref)?.blocked[0];
  const peer = brief?.fromName ?? 'hq';
  const isStuck = brief !== undefined;
  return {
    peer: { ref: brief?.from ?? 'hq', site: aSite(peer), name: peer },
    items: [
      {
        check: 'link',
        verdict: 'ok',
        text: `The link to \`${peer}\` is open; the last answer came 6 s ago.`,
      },
      { check: 'identity', verdict: 'ok', text: 'The peer is the one we know: same site ID, epoch and era.' },
      { check: 'protocol', verdict: 'ok', text: 'Both speak version 1.' },
      { check: 'clock', verdict: 'ok', text: 'The peer is 0.3 s ahead; up to 60 s is allowed.' },
      isStuck
        ? {
            check: 'schema',
            verdict: 'stops',
            text: 'The batch at 3,538 creates `orders` with other columns than the table that is here. It stays first in line until someone decides.',
          }
        : { check: 'schema', verdict: 'ok', text: 'Every definition that arrived fits those that are here.' },
      { check: 'cursor', verdict: 'ok', text: 'No gap: all up to 3,537 is admitted.' },
      { check: 'held', verdict: 'ok', text: 'Nothing is held here.' },
      isStuck
        ? { check: 'blocked', verdict: 'note', text: '1 batch is blocked, and what waits behind it.' }
        : { check: 'blocked', verdict: 'ok', text: 'No batch is blocked.' },
    ],
  };
}

function blockedAnswers(memory: Memory): Answers {
  const { fleet, setFleet, journal, activity, push } = memory;
  return {
    'blocked.get': ({ ref }) => {
      const detail = aDetail(fleet(), ref);
      return detail === null
        ? err({ code: 'no-such-conflict', message: 'This conflict is not open here.' })
        : ok(detail);
    },
    'blocked.preview': ({ option, conflictId }) => {
      if (option !== 'takeRemote' && option !== 'keepLocal') {
        return err({ code: 'option-does-not-fit', message: 'Only the two shapes have a preview.' });
      }
      return ok(examplePreview(option, conflictId));
    },
    'blocked.resolve': ({ ref, option, because, conflictId }) => {
      if (option === 'retry') return ok(outcome({ fleet: fleet(), option, isFreed: false }));
      const before = fleet();
      const done = outcome({ fleet: before, option, isFreed: true });
      journal.unshift({
        id: journal.length + 1,
        atMs: NOW_MS,
        who: 'ines',
        because,
        option,
        object: 'orders',
        conflictId,
        fingerprintBefore: OTHER_FINGERPRINT,
        fingerprintAfter: SHARED_FINGERPRINT,
        detail: '',
      });
      activity.push(
        anActivity(activity.length + 1, {
          kind: 'resolved',
          ref,
          name: ref,
          facts: { object: 'orders', option, because },
        }),
      );
      setFleet(shopsFreed(before));
      push({ topic: 'blocked' });
      push({ topic: 'replica' });
      push({ topic: 'activity' });
      return ok(done);
    },
  };
}

function examplePreview(
  option: 'takeRemote' | 'keepLocal',
  conflictId: typeof ORDERS_CONFLICT,
): Output<'blocked.preview'> {
  const takes = option === 'takeRemote';
  const ddl = takes ? REMOTE_ORDERS : LOCAL_ORDERS;
  const changed = (rows: number) =>
    aShape({
      resultDdl: ddl,
      rows,
      rowsConverted: rows,
      cellsHeld: takes ? [{ column: 'note', cells: 26 }] : [{ column: 'channel', cells: rows }],
    });
  const kept = (rows: number) => aShape({ resultDdl: ddl, rows, rowsConverted: 0 });
  const here = takes ? changed(212) : kept(212);
  return {
    ...here,
    conflictId,
    option,
    object: 'orders',
    changesLocalShape: takes,
    changesRemoteShape: !takes,
    unitFacts: 96,
    behindChanges: 1284,
    replicas: [
      { ref: 'market', name: 'market', role: 'here', shape: here, note: null },
      { ref: 'till-1', name: 'till-1', role: 'stuck', shape: takes ? changed(88) : kept(88), note: null },
      { ref: 'till-2', name: 'till-2', role: 'stuck', shape: takes ? changed(140) : kept(140), note: null },
      { ref: 'hq', name: 'hq', role: 'other', shape: takes ? kept(1840) : changed(1840), note: null },
      {
        ref: 'harbour',
        name: 'harbour',
        role: 'other',
        shape: takes ? kept(1840) : changed(1840),
        note: null,
      },
    ],
  };
}

function outcome(facts: {
  readonly fleet: Fleet;
  readonly option: ResolutionOutcome['option'];
  readonly isFreed: boolean;
}): ResolutionOutcome {
  const { fleet, option, isFreed } = facts;
  return {
    conflictId: ORDERS_CONFLICT,
    option,
    fingerprintBefore: OTHER_FINGERPRINT,
    fingerprintAfter: isFreed ? SHARED_FINGERPRINT : OTHER_FINGERPRINT,
    admitted: { groups: 97, factsApplied: 1284, factsSuperseded: 3, factsHeld: 26, migrations: 2 },
    rounds: 3,
    replicas: fleet.replicas.map((replica) => {
      const wasStuck = replica.blocked.length > 0;
      return {
        ref: replica.ref,
        name: replica.name,
        state: isFreed ? 'inSync' : replica.state,
        wasStuck,
        stillStuck: wasStuck && !isFreed,
      };
    }),
  };
}

function exampleActivity(): ActivityEntry[] {
  return [
    anActivity(1, { kind: 'exampleMade', ref: null, name: null, facts: { rows: 5210 } }),
    anActivity(2, { kind: 'linkAdded', ref: 'hq', name: 'hq', facts: { peer: 'market' } }),
    anActivity(3, { kind: 'synced', ref: 'market', name: 'market', facts: { peer: 'hq', changes: 3537 } }),
    anActivity(4, {
      kind: 'blocked',
      ref: 'market',
      name: 'market',
      facts: { object: 'orders', peer: 'hq' },
    }),
    anActivity(5, {
      kind: 'blocked',
      ref: 'till-1',
      name: 'till-1',
      facts: { object: 'orders', peer: 'harbour' },
    }),
  ];
}

/** A host with an empty fleet, as at the first start. */
export function createEmptyFakeHost(): FakeHost {
  return createFakeHost(aFleet());
}
