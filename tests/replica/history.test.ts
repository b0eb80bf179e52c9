import { describe, expect, test } from 'vitest';

import type { SchemaEvent } from '#shared/model/schema-event.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncBoth, valueOf } from '../support/replica-world.ts';
import { openReplica } from '#main/replica/open-replica.ts';

const { world } = freshReplicas();

const DAY_MS = 86_400_000;

describe('the history', () => {
  test('says of each migration who made it, what was decided and why', () => {
    const a = world.init('a');
    const b = world.init('b');
    a.exec('create table orders (id integer primary key, total real)');
    b.pull(a);
    a.exec('drop table orders');
    b.pull(a);
    const site = a.core().identity().site;
    expect(b.core().migrations({ limit: 10 })).toMatchObject([
      {
        type: 'drop_table',
        object: 'orders',
        origin: site,
        from: site,
        verdict: 'executed',
        reason: '`orders` was here, so it was dropped.',
        inForce: true,
      },
      {
        type: 'create_table',
        origin: site,
        verdict: 'executed',
        reason: 'There was no `orders` here, so it was made.',
        inForce: false,
      },
    ]);
    expect(a.core().migrations({ limit: 1 })).toMatchObject([{ reason: 'It was written here.', from: null }]);
  });

  test('twins name each other', () => {
    const a = world.init('a');
    const b = world.init('b');
    a.exec('create table orders (id integer primary key)');
    b.exec('create table orders (id integer primary key)');
    syncBoth(a, b);
    const [arrived] = b.core().migrations({ limit: 10, verdict: 'alreadyApplied' });
    expect(arrived).toMatchObject({
      reason: 'It is one with `create table orders`, which was here first.',
      by: { type: 'create_table', object: 'orders', origin: b.core().identity().site },
    });
  });

  test('is listed page by page, and by object, verdict and type', () => {
    const a = world.init('a');
    for (const name of ['one', 'two', 'three']) {
      a.exec(`create table ${name} (id integer primary key)`);
      a.exec(`alter table ${name} add column x text`);
    }
    const page = a.core().migrations({ limit: 2 });
    const next = a.core().migrations({ limit: 2, before: page[1]?.seq ?? 0 });
    expect([...page, ...next].map(({ object, type }) => `${type} ${object}`)).toEqual([
      'add_column three',
      'create_table three',
      'add_column two',
      'create_table two',
    ]);
    expect(a.core().migrations({ limit: 9, object: 'TWO' })).toHaveLength(2);
    expect(a.core().migrations({ limit: 9, type: 'add_column' })).toHaveLength(3);
    expect(a.core().migrations({ limit: 9, verdict: 'superseded' })).toEqual([]);
  });
});

// Guards HISTORY-001.
describe('the retention of the history', () => {
  test('what a drop has overtaken goes after a year; what began and ended the table stays', () => {
    const a = world.init('a');
    a.exec('create table orders (id integer primary key)');
    a.exec('alter table orders add column note text');
    a.exec('drop table orders');
    a.exec('create table kept (id integer primary key)');
    a.exec('alter table kept add column note text');
    world.wait(366 * DAY_MS);
    a.core().notice();
    expect(
      a
        .core()
        .migrations({ limit: 9 })
        .map(({ type, object }) => `${type} ${object}`),
    ).toEqual(['add_column kept', 'create_table kept', 'drop_table orders', 'create_table orders']);
  });

  test('young entries stay, unless there are more than the history may hold', () => {
    const a = world.init('a', { settings: { historyEntries: 4 } });
    const b = world.init('b');
    a.exec('create table orders (id integer primary key)');
    for (const name of ['x', 'y', 'z']) a.exec(`alter table orders add column ${name} text`);
    a.exec('drop table orders');
    world.wait(2 * DAY_MS);
    a.core().notice();
    expect(a.core().migrations({ limit: 9 })).toHaveLength(4);
    b.pull(a);
    expect(b.rows(`select name from sqlite_schema where name = 'orders'`)).toEqual([]);
    expect(a.core().selfCheck()).toEqual([]);
  });

  test('an index that was dropped is not made again by a late creation', () => {
    const a = world.init('a');
    const b = world.init('b');
    a.exec('create table orders (id integer primary key, x text)');
    b.pull(a);
    a.exec('create index ix on orders (x)');
    const late = b.pull(a).pages;
    a.exec('drop index ix');
    b.pull(a);
    world.wait(366 * DAY_MS);
    b.core().notice();
    expect(
      b
        .core()
        .migrations({ limit: 9, object: 'ix' })
        .map(({ type }) => type),
    ).toEqual(['drop_index', 'create_index']);
    for (const page of late) b.core().admitPage({ ...a.core().identity(), nowMs: world.nowMs() }, page);
    expect(b.rows(`select name from sqlite_schema where name = 'ix'`)).toEqual([]);
  });

  test('a rename that lost goes, and loses again when it comes late', () => {
    const a = world.init('a');
    const b = world.init('b');
    const c = world.init('c');
    a.exec('create table orders (id integer primary key, x text)');
    b.pull(a);
    c.pull(a);
    a.exec('alter table orders rename column x to early');
    b.exec('alter table orders rename column x to later');
    c.pull(b);
    const late = c.pull(a).pages;
    expect(c.core().migrations({ limit: 9, verdict: 'superseded' })).toMatchObject([
      { element: 'early', reason: '`rename column orders.later` was made later, and the later one holds.' },
    ]);
    world.wait(366 * DAY_MS);
    c.core().notice();
    expect(c.core().migrations({ limit: 9, verdict: 'superseded' })).toEqual([]);
    for (const page of late) c.core().admitPage({ ...a.core().identity(), nowMs: world.nowMs() }, page);
    expect(c.rows(`select name from pragma_table_info('orders') where cid = 1`)).toEqual([['later']]);
    expect(c.core().selfCheck()).toEqual([]);
  });

  test('a view that another one hides is kept: it shows again when the other is dropped', () => {
    const [a, b, c] = [world.init('a'), world.init('b'), world.init('c')];
    a.exec('create view v as select 1 as x');
    b.exec('create view v as select 2 as x');
    c.pull(b);
    c.pull(a);
    expect(c.rows('select x from v')).toEqual([[2n]]);
    world.wait(366 * DAY_MS);
    c.core().notice();
    b.exec('drop view v');
    c.pull(b);
    expect(c.rows('select x from v')).toEqual([[1n]]);
  });
});

describe('schema events', () => {
  function listening(name: string) {
    const replica = world.init(name);
    replica.close();
    const heard: SchemaEvent[] = [];
    const core = valueOf(
      openReplica({
        path: replica.path,
        ports: replica.ports,
        host: { id: name, address: null },
        onSchemaEvents: (events) => heard.push(...events),
      }),
    );
    return { core, heard, path: replica.path };
  }

  const pull = (to: ReturnType<typeof listening>, from: ReturnType<typeof listening>) => {
    world.wait(1);
    const peer = { ...from.core.identity(), nowMs: world.nowMs() };
    const request = valueOf(to.core.planPull(peer));
    to.core.admitPage(peer, valueOf(from.core.readPage(to.core.identity().site, request)));
  };

  test('tell each decision once, with object, origin, peer, verdict and reason', () => {
    const a = listening('a');
    const b = listening('b');
    valueOf(a.core.exec('create table orders (id integer primary key)'));
    pull(b, a);
    pull(b, a);
    const site = a.core.identity().site;
    expect(a.heard).toMatchObject([{ verdict: 'executed', from: null, reason: 'It was written here.' }]);
    expect(b.heard).toMatchObject([
      {
        verdict: 'executed',
        type: 'create_table',
        kind: 'table',
        object: 'orders',
        origin: site,
        from: site,
        reason: 'There was no `orders` here, so it was made.',
      },
    ]);
    a.core.close();
    b.core.close();
  });

  test('tell that a migration waited for the rows that came with it', () => {
    const a = listening('a');
    const b = listening('b');
    valueOf(a.core.exec('create table orders (id integer primary key, note text)'));
    pull(b, a);
    b.heard.length = 0;
    valueOf(
      a.core.exec(
        `begin; insert into orders values (1, 'x'); create unique index u on orders (note); commit`,
      ),
    );
    pull(b, a);
    expect(b.heard).toMatchObject([
      {
        verdict: 'waitingForRows',
        object: 'u',
        reason: 'It checks rows: those that came with it go in first.',
      },
      {
        verdict: 'executed',
        object: 'u',
        reason: 'It checks rows, so it ran after those that came with it.',
      },
    ]);
    a.core.close();
    b.core.close();
  });

  test('tell a conflict when it comes, and not at each attempt', () => {
    const a = listening('a');
    const b = listening('b');
    valueOf(a.core.exec('create table orders (id integer primary key, total real)'));
    valueOf(b.core.exec('create table orders (id integer primary key, total text)'));
    b.heard.length = 0;
    pull(b, a);
    pull(b, a);
    b.core.retryBlocked();
    expect(b.heard).toMatchObject([
      {
        verdict: 'conflict',
        type: 'create_table',
        object: 'orders',
        origin: a.core.identity().site,
        from: a.core.identity().site,
        conflictId: b.core.blocked()[0]?.conflictId,
        reason: b.core.blocked()[0]?.message,
      },
    ]);
    a.core.close();
    b.core.close();
  });

  test('tell nothing of a transaction that was rolled back', () => {
    const a = listening('a');
    expect(
      a.core.exec('begin; create table orders (id integer primary key); create table orders (x)').ok,
    ).toBe(false);
    expect(a.heard).toEqual([]);
    a.core.close();
  });
});
