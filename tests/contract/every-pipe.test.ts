import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { ConsoleBridge } from '#shared/api/channels.ts';
import type { Push } from '#shared/api/envelope.ts';
import type { Client, Handlers } from '#shared/api/types.ts';
import { err, ok } from '#shared/result.ts';
import { createListeners } from '#main/peers/create-listeners.ts';
import { connectWebSocket } from '#main/rpc/connect-web-socket.ts';
import { createClient } from '#main/rpc/create-client.ts';
import { createDispatcher } from '#main/rpc/create-dispatcher.ts';
import { createFakeHandlers } from '../support/fake-handlers.ts';
import { createMemoryLog } from '../support/memory-log.ts';
import { openTestServer } from '../support/rpc-server.ts';

const standIn = await vi.hoisted(async () => {
  const { createElectronStandIn: create } = await import('../support/electron-stand-in.ts');
  return create();
});
vi.mock('electron', () => standIn.electron);

/** A client at one end of a pipe, and what happens at the other. */
interface Pipe {
  readonly client: Client;
  readonly push: (push: Push) => void;
  /** Hears the next push that arrives. */
  readonly nextPush: () => Promise<Push>;
}

type OpenPipe = (handlers: Partial<Handlers>, role?: 'read' | 'operate') => Promise<Pipe>;

function createPushEar() {
  const waiting: ((push: Push) => void)[] = [];
  return {
    hear: (push: Push) => waiting.shift()?.(push),
    next: () => new Promise<Push>((resolve) => waiting.push(resolve)),
  };
}

const inProcess: OpenPipe = async (handlers, role = 'operate') => {
  const dispatch = createDispatcher(createFakeHandlers(handlers), createMemoryLog());
  const messages = createListeners<unknown>();
  const ear = createPushEar();
  const client = createClient(
    {
      send: (request) =>
        void dispatch(structuredClone(request), { name: 'ines', role }).then((response) =>
          messages.tell(structuredClone(response)),
        ),
      onMessage: messages.add,
      onClosed: () => undefined,
    },
    ear.hear,
  );
  return Promise.resolve({ client, push: messages.tell, nextPush: ear.next });
};

const webSocket: OpenPipe = async (handlers, role = 'operate') => {
  const host = await openTestServer(handlers);
  const ear = createPushEar();
  const connected = await connectWebSocket({
    url: host.server.url,
    token: host.tokenFor(role),
    onPush: ear.hear,
    onClosed: () => undefined,
  });
  if (!connected.ok) throw new Error(connected.error.code);
  onTestFinished(connected.value.close);
  return { client: connected.value.client, push: host.push, nextPush: ear.next };
};

const ipc: OpenPipe = async (handlers, role = 'operate') => {
  const { serveIpc } = await import('#main/rpc/serve-ipc.ts');
  const { openWindow } = await import('#main/open-window.ts');
  await import('../../src/preload/index.ts');
  standIn.windows.length = 0;
  openWindow('preload.cjs');
  const pushes = createListeners<Push>();
  serveIpc(
    { dispatch: createDispatcher(createFakeHandlers(handlers), createMemoryLog()), onPush: pushes.add },
    { pageOrigin: 'app://concord', caller: { name: 'ines', role } },
  );
  const bridge = standIn.exposed('consoleBridge') as ConsoleBridge;
  const messages = createListeners<unknown>();
  const ear = createPushEar();
  onTestFinished(bridge.onPush(messages.tell));
  const client = createClient(
    {
      send: (request) => void bridge.call(request).then(messages.tell),
      onMessage: messages.add,
      onClosed: () => undefined,
    },
    ear.hear,
  );
  return { client, push: pushes.tell, nextPush: ear.next };
};

const pipes: readonly { readonly name: string; readonly open: OpenPipe }[] = [
  { name: 'in process', open: inProcess },
  { name: 'over a WebSocket', open: webSocket },
  { name: 'over IPC', open: ipc },
];

const SQL_ROWS = [
  [null, 'text', 5, 1.5],
  [{ int: '9223372036854775807' }, { real: 'inf' }, { blob: '00ff' }, { text: 'c3' }],
];

// Guards HOST-003.
describe.for(pipes)('the contract $name', ({ open }) => {
  test('hands a value over as it is', async () => {
    const value = { columns: ['a', 'b', 'c', 'd'], rows: SQL_ROWS, truncated: false, elapsedMs: 3 };
    const { client } = await open({ 'replica.query': async () => ok(value) });
    expect(await client.call('replica.query', { ref: 'r', sql: 'select 1' })).toEqual(ok(value));
  });

  test('hands a comparison of catalogs over as it is', async () => {
    const counts = { equal: 4, drift: 0, different: 0, onlyLeft: 1, onlyRight: 0 };
    const only = { kind: 'view', name: 'v', state: 'onlyLeft', left: 'CREATE VIEW v', right: null } as const;
    const value = { counts, items: [{ ...only, differences: [], rules: [] }] };
    const { client } = await open({ 'catalog.diff': async () => ok(value) });
    expect(await client.call('catalog.diff', { left: 'a', right: 'b', explain: true })).toEqual(ok(value));
  });

  test('hands an expected failure over with its facts', async () => {
    const refusal = err({ code: 'link-exists', id: 'l1' });
    const { client } = await open({ 'fleet.addLink': async () => refusal });
    expect(await client.call('fleet.addLink', { a: 'x', b: 'y' })).toEqual(refusal);
  });

  test('tells the handler who calls', async () => {
    const { client } = await open({
      'fleet.makeExample': async (_input, caller) =>
        err({ code: 'example-exists', folder: `${caller.name} may ${caller.role}` }),
    });
    const answer = await client.call('fleet.makeExample', {});
    expect(answer).toMatchObject({ error: { folder: expect.stringMatching(/ may operate$/) as unknown } });
  });

  test('answers input of another shape as a bad request, and says where', async () => {
    const { client } = await open({});
    const answer = await client.call('activity.list', { limit: 0 });
    expect(answer).toMatchObject({
      error: { code: 'bad-request', detail: expect.stringContaining('limit') as unknown },
    });
  });

  test('takes no word that it does not know', async () => {
    const { client } = await open({});
    const answer = await client.call('fleet.get', { also: 1 } as unknown as Record<string, never>);
    expect(answer).toMatchObject({ error: { code: 'bad-request' } });
  });

  test.for(['fleet.reset', 'toString', '__proto__'])('does not know a method %s', async (method) => {
    const { client } = await open({});
    const answer = await client.call(method as 'fleet.get', {});
    expect(answer).toEqual(err({ code: 'unknown-method', method }));
  });

  test('turns a bug into internal and says no more', async () => {
    const { client } = await open({
      'fleet.get': async () => {
        throw new Error('secret of the host');
      },
    });
    expect(await client.call('fleet.get', {})).toEqual(err({ code: 'internal' }));
  });

  test('lets no value out that the contract does not promise', async () => {
    const wrong = { rounds: 1.5, changes: 0, stopped: [] };
    const { client } = await open({ 'fleet.syncNow': async () => ok(wrong) });
    expect(await client.call('fleet.syncNow', { refs: null })).toEqual(err({ code: 'internal' }));
  });

  test('lets no failure out that the contract does not promise', async () => {
    const { client } = await open({
      'fleet.remove': async () => err({ code: 'disk-full' }) as never,
    });
    expect(await client.call('fleet.remove', { ref: 'r' })).toEqual(err({ code: 'internal' }));
  });

  test('lets a reader ask and not change', async () => {
    const { client } = await open({ 'activity.list': async () => ok([]) }, 'read');
    expect(await client.call('activity.list', { limit: 1 })).toEqual(ok([]));
    expect(await client.call('fleet.remove', { ref: 'r' })).toEqual(err({ code: 'not-allowed' }));
  });

  test('brings each answer to its own call, whatever the order', async () => {
    const gates = new Map<string, () => void>();
    let tellBothAsked = (): void => undefined;
    const bothAsked = new Promise<void>((resolve) => {
      tellBothAsked = resolve;
    });
    const { client } = await open({
      'fleet.disconnectHost': ({ url }) =>
        new Promise((resolve) => {
          gates.set(url, () => resolve(err({ code: 'host-unknown', url })));
          if (gates.size === 2) tellBothAsked();
        }),
    });
    const [first, second] = [
      client.call('fleet.disconnectHost', { url: 'first' }),
      client.call('fleet.disconnectHost', { url: 'second' }),
    ];
    await bothAsked;
    gates.get('second')?.();
    expect(await second).toMatchObject({ error: { url: 'second' } });
    gates.get('first')?.();
    expect(await first).toMatchObject({ error: { url: 'first' } });
  });

  test('hands a long answer over whole', async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => [n, 'x'.repeat(1000)]);
    const value = { columns: ['n', 'text'], rows, truncated: true, elapsedMs: 1 };
    const { client } = await open({ 'replica.query': async () => ok(value) });
    expect(await client.call('replica.query', { ref: 'r', sql: 'select 1' })).toEqual(ok(value));
  });

  test('brings pushes', async () => {
    const pipe = await open({});
    const arrived = pipe.nextPush();
    pipe.push({ push: { topic: 'blocked', ref: 'r' } });
    expect(await arrived).toEqual({ push: { topic: 'blocked', ref: 'r' } });
  });
});
