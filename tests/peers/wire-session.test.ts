import { expect, test } from 'vitest';

import type { WireMessage } from '#shared/wire/messages.ts';
import { createFakeEndpoint } from '../support/fake-endpoint.ts';
import { epoch, era } from '../support/ids.ts';
import { createManualTimers } from '../support/manual-timers.ts';
import { aHello, openRawPeer, type RawPeer } from '../support/raw-peer.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { aHost, aServer, TOKENS } from '../support/sync-server.ts';

const pull: WireMessage = { type: 'pull', facts: 10, conflicts: [] };

const aRawPeer = async (options: Parameters<typeof aServer>[1] = {}) => {
  const a = createFakeEndpoint({ number: 1 });
  const host = aHost(a);
  const server = await aServer(host, options);
  const peer = await openRawPeer(server.address, { site: a.site, token: TOKENS.all });
  return { a, host, server, peer };
};

/** As above, and both have said hello; the pull that the host begins with is answered. */
const aGreetedPeer = async (options: Parameters<typeof aServer>[1] = {}) => {
  const all = await aRawPeer(options);
  await greet(all.peer);
  return all;
};

async function greet(peer: RawPeer): Promise<void> {
  peer.send(aHello());
  expect(await peer.next()).toMatchObject({ type: 'hello' });
  expect(await peer.next()).toMatchObject({ type: 'pull' });
  peer.send({ type: 'error', code: 'not-offered', fatal: false, facts: {} });
}

// Guards SYNC-003.
const oddMessages: readonly {
  readonly title: string;
  readonly greeted: boolean;
  readonly bytes: Uint8Array | string | WireMessage;
  readonly code: string;
}[] = [
  { title: 'a pull before the hello', greeted: false, bytes: pull, code: 'hello-expected' },
  {
    title: 'a head before the hello',
    greeted: false,
    bytes: { type: 'head', seq: 1 },
    code: 'hello-expected',
  },
  { title: 'bytes before the hello', greeted: false, bytes: Uint8Array.of(0xc1), code: 'bad-message' },
  {
    title: 'an unknown type before the hello',
    greeted: false,
    bytes: typed('gossip'),
    code: 'hello-expected',
  },
  { title: 'a second hello', greeted: true, bytes: aHello(), code: 'hello-twice' },
  { title: 'a text', greeted: true, bytes: 'hello?', code: 'bad-message' },
  { title: 'bytes that are no message', greeted: true, bytes: Uint8Array.of(0xc1), code: 'bad-message' },
  { title: 'an empty message', greeted: true, bytes: new Uint8Array(), code: 'bad-message' },
  { title: 'a key that nobody knows', greeted: true, bytes: typed('invite', 'please'), code: 'bad-message' },
  { title: 'a page that nobody asked for', greeted: true, bytes: anEmptyPage(), code: 'out-of-turn' },
  { title: 'a report that nobody asked for', greeted: true, bytes: pulledNothing(), code: 'out-of-turn' },
];

test.for(oddMessages)('W03 $title: $code, fatal', async ({ greeted, bytes, code }) => {
  const { peer, host, server } = greeted ? await aGreetedPeer() : await aRawPeer();
  const [session] = server.sync.sessions();

  if (typeof bytes === 'string' || bytes instanceof Uint8Array) peer.sendBytes(bytes);
  else peer.send(bytes);
  const rest = await peer.rest();
  await session?.over;

  expect(rest.messages.at(-1)).toMatchObject({ type: 'error', code, fatal: true });
  expect(rest.code).toBe(1008);
  expect(host.inUse()).toBe(0);
});

test('W03 an unknown type is named, and the session goes on', async () => {
  const { peer } = await aGreetedPeer();

  peer.sendBytes(typed('gossip'));
  const answer = await peer.next();
  peer.send(pull);
  const page = await peer.next();

  expect(answer).toMatchObject({ code: 'unknown-message', fatal: false, facts: { type: 'gossip' } });
  expect(page).toMatchObject({ type: 'page', more: false });
  peer.socket.terminate();
});

test('a peer that knows only unknown types is let go', async () => {
  const { peer } = await aGreetedPeer();

  for (let count = 0; count < 40; count += 1) peer.sendBytes(typed('gossip'));
  const { messages } = await peer.rest();

  expect(messages.length).toBeLessThan(20);
  expect(messages.at(-1)).toMatchObject({ code: 'unknown-message', fatal: true });
});

test('a message that is too large is not read', async () => {
  const { peer, server } = await aGreetedPeer();
  const [session] = server.sync.sessions();

  peer.sendBytes(new Uint8Array(64 * 1024 * 1024 + 1));
  const { code } = await peer.rest();
  await session?.over;

  expect(code).toBe(1009);
});

// Guards SYNC-002.
test('W16 asking on without reading is cut off; one request at a time is in the works', async () => {
  const { a, peer, server } = await aGreetedPeer();
  a.write('1');
  const [session] = server.sync.sessions();

  for (let count = 0; count < 50; count += 1) peer.send(pull);
  await session?.over;
  const { messages } = await peer.rest();

  expect(messages.at(-1)).toMatchObject({ type: 'error', code: 'out-of-turn', fatal: true });
  expect(a.calls().filter((call) => call === 'readPage').length).toBeLessThan(5);
});

test('heads are told at most every 50 ms, and the newest is not lost', async () => {
  const timers = createManualTimers();
  const { a, peer } = await aGreetedPeer({ timers });

  a.write('1');
  a.write('2');
  a.write('3');
  timers.advance(50);
  timers.advance(50);
  a.write('4');
  const heads = [await peer.next(), await peer.next(), await peer.next()];

  expect(heads).toEqual([1, 3, 4].map((seq) => ({ type: 'head', seq })));
  peer.socket.terminate();
});

test('a peer that never says hello is let go after 10 s', async () => {
  const timers = createManualTimers();
  const { peer } = await aRawPeer({ timers });

  timers.advance(10_000);
  const { messages } = await peer.rest();

  expect(messages).toMatchObject([{ type: 'hello' }, { type: 'error', code: 'timed-out', fatal: true }]);
});

test('a link that is dead is noticed after 45 s without a byte', async () => {
  const timers = createManualTimers();
  const { server, host, peer } = await aGreetedPeer({ timers });
  const [session] = server.sync.sessions();
  await answered(peer);
  // The other end stops listening without a word: nothing it sends or answers will come.
  peer.socket.pause();

  timers.advance(60_000);
  await session?.over;

  expect(host.inUse()).toBe(0);
  peer.socket.terminate();
});

test('the end of a session leaves no timer behind', async () => {
  const timers = createManualTimers();
  const { a, server, peer } = await aGreetedPeer({ timers });
  const [session] = server.sync.sessions();
  a.write('1');
  await peer.next();

  peer.socket.terminate();
  await session?.over;

  expect(timers.pending()).toEqual([]);
});

test('nonsense of every kind neither stops the host nor stays with it', async () => {
  const { a, host, server, peer } = await aRawPeer();
  peer.socket.terminate();
  const random = createSeededRandom(42);

  for (let round = 0; round < 150; round += 1) {
    const guest = await openRawPeer(server.address, { site: a.site, token: TOKENS.all });
    if (round % 3 !== 0) guest.send(aHello());
    for (let message = 0; message < 5; message += 1) guest.sendBytes(nonsense(random));
    if (round % 2 === 0) guest.socket.close();
    await guest.rest();
  }
  await Promise.all(server.sync.sessions().map((session) => session.over));

  expect(server.sync.sessions()).toEqual([]);
  expect(host.inUse()).toBe(0);
  expect(a.listeners()).toBe(0);
  expect(server.log.events().filter((event) => event.startsWith('error'))).toEqual([]);
  expect(a.notes()).toEqual([]);
});

/** Random bytes; a message with some of them changed; one that is cut off. */
function nonsense({ draw }: { readonly draw: () => number }): Uint8Array {
  const kind = Math.floor(draw() * 3);
  if (kind === 0) return randomOf(draw, 1 + Math.floor(draw() * 60));
  const message = draw() < 0.5 ? typed('pull', 'conflicts') : typed('page', 'groups');
  if (kind === 1) return message.subarray(0, Math.floor(draw() * message.length));
  return message.map((byte) => (draw() < 0.1 ? Math.floor(draw() * 256) : byte));
}

const randomOf = (draw: () => number, count: number) =>
  Uint8Array.from({ length: count }, () => Math.floor(draw() * 256));

/** A map in msgpack by hand: the type, and perhaps one more key with nothing in it. */
function typed(type: string, key?: string): Uint8Array {
  const text = (value: string) => [0xa0 | value.length, ...Buffer.from(value)];
  const rest = key === undefined ? [] : [...text(key), 0xc0];
  return Uint8Array.from([key === undefined ? 0x81 : 0x82, ...text('type'), ...text(type), ...rest]);
}

function pulledNothing(): WireMessage {
  const counts = { pages: 0, read: 0, admittedGroups: 0, factsApplied: 0, factsSuperseded: 0, factsHeld: 0 };
  return { type: 'pulled', ended: 'quiet', ...counts, migrations: 0, blocked: null };
}

function anEmptyPage(): WireMessage {
  const cursor = { epoch: epoch(77), era: era(77), seq: 0, catalogSeq: 0 };
  return { type: 'page', groups: [], cursor, head: 0, more: false, read: 0 };
}

/** Resolves once the peer has had an answer, so that nothing is on its way any more. */
async function answered(peer: RawPeer): Promise<void> {
  peer.send(pull);
  expect(await peer.next()).toMatchObject({ type: 'page' });
}
