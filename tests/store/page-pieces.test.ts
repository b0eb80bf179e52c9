import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { encodeWireMessage } from '#main/peers/wire-codec.ts';
import { assembleValues } from '#main/store/assemble-values.ts';
import type { ChangeGroup, Cursor } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { PAGE_BYTES_MAX } from '#shared/wire/limits.ts';

import { anAttachedReplica } from '../support/store-fixture.ts';
import type { AttachedReplica } from '../support/store-fixture.ts';

/** What a puller has once all is admitted, and how large its pages were. `between` runs after the first piece. */
function pulled(
  replica: AttachedReplica,
  from: Cursor,
  between: () => void = () => undefined,
): { readonly rows: readonly string[]; readonly sizes: readonly number[]; readonly units: number } {
  const rows: string[] = [];
  const sizes: number[] = [];
  let staged: ChangeGroup[] = [];
  let units = 0;
  let wasDisturbed = false;
  let page = replica.page(from, 100);
  for (;;) {
    const bytes = encodeWireMessage({ type: 'page', ...page });
    sizes.push(bytes.ok ? bytes.value.length : Number.POSITIVE_INFINITY);
    for (const group of page.groups) {
      staged.push(group);
      if (group.unfinished === true) continue;
      units += 1;
      rows.push(
        ...assembleValues(staged).flatMap(({ blocks }) => blocks.flatMap((block) => block.rows.map(show))),
      );
      staged = [];
    }
    if (!page.more) return { rows, sizes, units };
    expect(sizes.length, 'the cursor moves on').toBeLessThan(PAGES_MAX);
    if (!wasDisturbed && staged.some(({ piece }) => piece !== undefined)) {
      wasDisturbed = true;
      between();
    }
    page = replica.page(page.cursor, 100);
  }
}

/** Large values by their length and hash. */
const show = (row: readonly SqlValue[]): string =>
  row
    .map((value) => {
      if (value instanceof Uint8Array) return `x${value.length} ${hash(value)}`;
      if (typeof value === 'string' && value.length > 99)
        return `${value.length} ${hash(Buffer.from(value))}`;
      return typeof value === 'object' && value !== null ? `raw ${value.textBytes.length}` : String(value);
    })
    .join(' ');

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

/** No story here takes that many: a cursor that stands still would fill the memory. */
const PAGES_MAX = 20;

const TABLE = 'create table att (id integer primary key, a, b)';

/** Bytes that are no repetition of a shorter stretch. */
const someBytes = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  return bytes;
};

// Guards SYNC-008.
describe('a fact that is larger than a page', () => {
  const blob = someBytes(20_000_001);
  const text = 'a😀é'.repeat(2_000_000);

  it('goes out in pieces of a page, and comes together as it was (C040)', () => {
    const replica = anAttachedReplica(TABLE);
    const insert = replica.plain.prepare('insert into att values (?, ?, ?)');
    replica.plain.exec('begin');
    insert.run(1, 's', 't');
    insert.run(2, blob, text);
    insert.run(3, Buffer.alloc(0), null);
    replica.plain.exec('commit');
    const { rows, sizes, units } = pulled(replica, replica.start);
    expect(rows).toEqual([
      '1 s t',
      `2 x20000001 ${hash(blob)} ${text.length} ${hash(Buffer.from(text))}`,
      `3 x0 ${hash(Buffer.alloc(0))} null`,
    ]);
    expect(units).toBe(1);
    expect(Math.max(...sizes)).toBeLessThan(PAGE_BYTES_MAX);
    // 36 MB in pieces of 7 MiB, after a page of what comes before it.
    expect(sizes).toHaveLength(6);
  });

  it('does so in a baseline, as changed cells, and as a row that moved', () => {
    const replica = anAttachedReplica(
      `${TABLE}; insert into att values (1, 's', 't'), (2, zeroblob(9000000), 5), (3, 'u', 'v')`,
    );
    const first = pulled(replica, replica.start);
    expect(first.rows).toEqual(['1 s t', `2 x9000000 ${hash(Buffer.alloc(9_000_000))} 5`, '3 u v']);
    const { cursor } = replica.pages(replica.start, 100).at(-1) ?? { cursor: replica.start };
    replica.plain.prepare('update att set b = ? where id = 3').run(blob);
    replica.plain.exec('update att set id = 9 where id = 2');
    const then = pulled(replica, cursor);
    expect(then.rows.filter((row) => row !== '2')).toEqual([
      `3 x20000001 ${hash(blob)}`,
      `9 x9000000 ${hash(Buffer.alloc(9_000_000))} 5`,
    ]);
    expect(Math.max(...first.sizes, ...then.sizes)).toBeLessThan(PAGE_BYTES_MAX);
  });

  it('keeps text that is not UTF-8', () => {
    const replica = anAttachedReplica(TABLE);
    replica.plain
      .prepare('insert into att values (1, cast(? as text), 2)')
      .run(Buffer.alloc(9_000_000, 0xff));
    expect(pulled(replica, replica.start).rows).toEqual(['1 raw 9000000 2']);
  });

  it('is never taken for another of one length and moment: two columns of a row, two keys that are not UTF-8', () => {
    const replica = anAttachedReplica(
      `${TABLE}; create table raw (k text primary key, v); insert into att values (1, 0, 0)`,
    );
    const { cursor } = replica.pages(replica.start, 100).at(-1) ?? { cursor: replica.start };
    const [one, two] = [Buffer.alloc(9_000_000, 1), Buffer.alloc(9_000_000, 2)];
    replica.plain.exec('begin');
    replica.plain.prepare('update att set a = ?').run(one);
    replica.plain.prepare('update att set b = ?').run(two);
    replica.plain.exec('commit');
    expect(pulled(replica, cursor).rows).toEqual([`1 x9000000 ${hash(one)}`, `1 x9000000 ${hash(two)}`]);
    const { cursor: then } = replica.pages(cursor, 100).at(-1) ?? { cursor };
    replica.plain
      .prepare(`insert into raw values (cast(x'ff' as text), ?), (cast(x'fe' as text), ?)`)
      .run(one, two);
    expect(pulled(replica, then).rows).toEqual([
      `raw 1 x9000000 ${hash(one)}`,
      `raw 1 x9000000 ${hash(two)}`,
    ]);
  });

  it('does not come together without its pieces', () => {
    const replica = anAttachedReplica(`${TABLE}; insert into att values (1, zeroblob(9000000), 0)`);
    const pages = [replica.page(replica.start, 100)];
    for (let page = pages[0]; page?.more === true; page = pages.at(-1)) {
      pages.push(replica.page(page.cursor, 100));
      expect(pages.length, 'the cursor moves on').toBeLessThan(PAGES_MAX);
    }
    const groups = pages.flatMap((page) => page.groups);
    expect(() => assembleValues(groups.filter(({ piece }) => piece === undefined))).not.toThrow();
    const last = groups.filter(({ pieced }) => pieced !== undefined);
    expect(last).toHaveLength(1);
    expect(() => assembleValues(last)).toThrow('comes with all of its pieces');
    expect(() => assembleValues(last.map(({ piece: _piece, ...group }) => group))).toThrow(
      'comes with all of its pieces',
    );
  });

  for (const [what, sql, expected] of [
    ['changed', 'update att set a = 1 where id = 2', '2 1'],
    ['deleted', 'delete from att where id = 2', '2'],
    ['replaced by as large a one', 'replace into att values (2, zeroblob(20000001), 0)', '2 x20000001'],
    ['changed beside its large value', 'update att set b = 7 where id = 2', '2 x20000001'],
  ] as const) {
    it(`is never a mix of two states of a row that is ${what} meanwhile`, () => {
      const replica = anAttachedReplica(TABLE);
      replica.plain.prepare('insert into att values (2, ?, 0)').run(blob);
      const { rows } = pulled(replica, replica.start, () => {
        replica.plain.exec(sql);
      });
      expect(rows.some((row) => row.startsWith(expected))).toBe(true);
      const large = rows.filter((row) => row.includes('x20000001'));
      for (const row of large)
        expect([hash(blob), hash(Buffer.alloc(20_000_001))]).toContain(row.split(' ')[2]);
    });
  }
});
