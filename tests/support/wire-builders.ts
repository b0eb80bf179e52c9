import { packHlc } from '#shared/model/hlc.ts';
import type { ChangeGroup, FactBlock, Migration, Page } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import type {
  ErrorMessage,
  HeadMessage,
  HelloMessage,
  PageMessage,
  PullMessage,
} from '#shared/wire/messages.ts';
import { columnId, conflictId, epoch, era, migrationId, siteId, tableId } from './ids.ts';

// Messages of the peer protocol with sensible defaults; a test names what it is about.

const june = Date.parse('2026-06-01T00:00:00.000Z');

export const aCursor = { epoch: epoch(1), era: era(1), seq: 42, catalogSeq: 7 } as const;

export const aHello = (parts: Partial<HelloMessage> = {}): HelloMessage => ({
  type: 'hello',
  protocol: [1, 1],
  site: siteId(1),
  epoch: epoch(1),
  era: era(1),
  head: 42,
  nowMs: june,
  client: { name: 'concord', version: '0.1.0' },
  ...parts,
});

export const aPull = (parts: Partial<PullMessage> = {}): PullMessage => ({
  type: 'pull',
  facts: 1000,
  conflicts: [],
  ...parts,
});

export const aHead = (parts: Partial<HeadMessage> = {}): HeadMessage => ({ type: 'head', seq: 43, ...parts });

export const anError = (parts: Partial<ErrorMessage> = {}): ErrorMessage => ({
  type: 'error',
  code: 'too-old',
  fatal: false,
  facts: {},
  ...parts,
});

export const aMigration = (parts: Partial<Migration> = {}): Migration => ({
  id: migrationId(1),
  type: 'create_table',
  kind: 'table',
  object: 'orders',
  element: null,
  tableId: tableId(1),
  columns: [
    { id: columnId(1), name: 'id' },
    { id: columnId(2), name: 'note' },
  ],
  stamp: { hlc: packHlc(june, 1), site: siteId(1) },
  version: 1,
  knew: { [siteId(1)]: packHlc(june), [siteId(2)]: packHlc(june, 3) },
  ddl: 'CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)',
  mentions: [],
  redefine: null,
  ...parts,
});

/** A block of `orders (id, note)`. */
export const aBlock = (parts: Partial<FactBlock> = {}): FactBlock => ({
  table: 0,
  hlc: packHlc(june, 2),
  site: 0,
  kind: 'rows',
  columns: [0, 1],
  rows: [[1n, 'first']],
  lives: [],
  clocks: [],
  ...parts,
});

export const aGroup = (parts: Partial<ChangeGroup> = {}): ChangeGroup => ({
  cursor: aCursor,
  sites: [siteId(1), siteId(2)],
  tables: [
    {
      id: tableId(1),
      name: 'orders',
      columns: [
        { id: columnId(1), name: 'id' },
        { id: columnId(2), name: 'note' },
      ],
      key: [0],
    },
  ],
  migrations: [],
  blocks: [aBlock()],
  ...parts,
});

export const aPage = (parts: Partial<Page> = {}): PageMessage => ({
  type: 'page',
  groups: [aGroup()],
  cursor: aCursor,
  head: 42,
  more: false,
  read: 1,
  ...parts,
});

/** A page with a whole row of one value. */
export const pageOfValues = (values: readonly SqlValue[]): PageMessage =>
  aPage({ groups: [aGroup({ blocks: [aBlock({ rows: values.map((value) => [1n, value]) })] })] });

/** A page in which every field of the protocol occurs. */
export const fullPage = (): PageMessage =>
  aPage({
    groups: [
      aGroup({ cursor: { ...aCursor, inside: 'r:17' }, unfinished: true, blocks: [] }),
      aGroup({
        outOfTurn: [migrationId(1)],
        migrations: [
          aMigration({
            mentions: [{ table: tableId(1), name: 'orders', columns: [{ id: columnId(2), name: 'note' }] }],
          }),
          aMigration({
            id: migrationId(2),
            type: 'redefine_table',
            element: 'note',
            redefine: {
              conflictIds: [conflictId(1)],
              creations: [
                { migration: migrationId(1), table: tableId(1) },
                { migration: migrationId(3), table: tableId(2) },
              ],
              columnMap: [{ name: 'note', ids: [columnId(2), columnId(5)] }],
            },
          }),
        ],
        blocks: [
          aBlock({
            rows: [
              [1n, 'first'],
              [-9223372036854775808n, { textBytes: Uint8Array.of(0xc3) }],
              [3n, 5],
              [4n, -0],
              [5n, 1.5],
              [6n, null],
              [7n, Uint8Array.of(0, 255)],
            ],
            lives: [[1, 3]],
            clocks: [[0, 1, packHlc(june, 9), 1]],
          }),
          aBlock({ kind: 'cells', rows: [[1n, 'a\0b']] }),
          aBlock({
            kind: 'deletes',
            site: 1,
            columns: [0],
            rows: [[9n], [10n]],
            lives: [
              [0, 4],
              [1, 1],
            ],
          }),
        ],
        replacements: [
          {
            table: 0,
            stamp: { hlc: packHlc(june, 7), site: siteId(2) },
            knew: { [siteId(1)]: packHlc(june, 3) },
            waiting: [{ hlc: packHlc(june, 2), site: siteId(1) }],
          },
        ],
      }),
    ],
    more: true,
    whole: { [siteId(1)]: packHlc(june, 9) },
  });
