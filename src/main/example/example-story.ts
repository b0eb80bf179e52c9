import type { SeededRandom } from '../scenario/seeded-random.ts';
import { baseRows, newCustomers, priceRound, stockCount } from './base-rows.ts';
import { HARBOUR, MARKET } from './example-sizes.ts';
import { headOfficeOrders, tillOrders } from './order-rows.ts';
import { salesOf } from './sales-rows.ts';
import { BASE_SCHEMA, ORDER_LINES, ORDERS_AT_HEAD_OFFICE, ORDERS_AT_THE_TILL } from './example-schema.ts';

export type ShopName = 'hq' | 'harbour' | 'market' | 'till-1' | 'till-2';

/** Replicas in the order of their site IDs, with the groups of the fleet screen. */
export const SHOPS: readonly { readonly name: ShopName; readonly group: string }[] = [
  { name: 'hq', group: 'Head office' },
  { name: 'harbour', group: 'Harbour Street' },
  { name: 'till-1', group: 'Harbour Street' },
  { name: 'till-2', group: 'Harbour Street' },
  { name: 'market', group: 'Market Square' },
];

export type Pair = readonly [ShopName, ShopName];

/** The tills hang on their shop; shops and head office know each other. */
export const LINKS: readonly Pair[] = [
  ['hq', 'harbour'],
  ['hq', 'market'],
  ['harbour', 'market'],
  ['harbour', 'till-1'],
  ['harbour', 'till-2'],
];

/** One thing that happens: SQL on a replica, or some pulls, each of them [who pulls, from whom]. `agoMs`: before now. */
export type Act =
  | { readonly kind: 'sql'; readonly agoMs: number; readonly on: ShopName; readonly sql: string }
  | { readonly kind: 'sync'; readonly agoMs: number; readonly pulls: readonly Pair[] };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From the tills up and down again: in this order everything reaches everybody in one pass. */
const ALL: readonly Pair[] = [
  ['harbour', 'till-1'],
  ['harbour', 'till-2'],
  ['market', 'harbour'],
  ['hq', 'harbour'],
  ['hq', 'market'],
  ['market', 'hq'],
  ['harbour', 'market'],
  ['harbour', 'hq'],
  ['till-1', 'harbour'],
  ['till-2', 'harbour'],
];

/** What was left of it while the lines to Harbour Street were down. */
const APART: readonly Pair[] = [
  ['harbour', 'till-1'],
  ['harbour', 'till-2'],
  ['hq', 'market'],
  ['market', 'hq'],
  ['till-1', 'harbour'],
  ['till-2', 'harbour'],
];

/**
 * What happened in the chain of shops, in order of time: three good weeks, then an afternoon on which the lines
 * to Harbour Street were down and `orders` was made twice.
 */
export function tellStory(random: SeededRandom, nowMs: number): readonly Act[] {
  return [
    { kind: 'sql', agoMs: 21 * DAY, on: 'hq', sql: BASE_SCHEMA },
    { kind: 'sql', agoMs: 21 * DAY - 5 * MINUTE, on: 'hq', sql: baseRows(random, nowMs - 21 * DAY) },
    { kind: 'sync', agoMs: 21 * DAY - 10 * MINUTE, pulls: ALL },
    ...goodWeeks(random, nowMs),
    ...afternoonApart(random, nowMs),
    ...sinceTheLineIsBack(random, nowMs),
  ];
}

/** Days on which everything went well, with the changes of the schema that came by. */
function goodWeeks(random: SeededRandom, nowMs: number): readonly Act[] {
  const days = [19, 15, 11, 7, 3];
  return days.flatMap((day) => [
    ...schemaOfDay(day),
    ...salesOfDay(random, { day, nowMs }),
    { kind: 'sql', agoMs: day * DAY - 11 * HOUR, on: 'hq', sql: priceRound(random, 9) },
    { kind: 'sync', agoMs: day * DAY - 12 * HOUR, pulls: ALL },
  ]);
}

function salesOfDay(
  random: SeededRandom,
  { day, nowMs }: { readonly day: number; readonly nowMs: number },
): readonly Act[] {
  const fromMs = nowMs - day * DAY;
  const sold = (
    on: ShopName,
    prefix: string,
    wish: { readonly shop: number; readonly count: number },
  ): Act => ({
    kind: 'sql',
    agoMs: day * DAY - 10 * HOUR,
    on,
    sql: salesOf(random, { ...wish, prefix: `${prefix}-${day}`, fromMs }),
  });
  return [
    sold('till-1', 'T1', { shop: HARBOUR, count: 63 }),
    sold('till-2', 'T2', { shop: HARBOUR, count: 53 }),
    sold('market', 'M', { shop: MARKET, count: 73 }),
    {
      kind: 'sql',
      agoMs: day * DAY - 10.5 * HOUR,
      on: 'harbour',
      sql: stockCount(random, { shop: HARBOUR, atMs: fromMs + 10.5 * HOUR, count: 20 }),
    },
  ];
}

/** Changes of the schema, each made where it was needed. */
function schemaOfDay(day: number): readonly Act[] {
  const changes: Readonly<Record<number, readonly { readonly on: ShopName; readonly sql: string }[]>> = {
    19: [{ on: 'market', sql: `ALTER TABLE customers ADD COLUMN loyalty TEXT DEFAULT 'none';` }],
    15: [
      { on: 'hq', sql: 'CREATE INDEX sales_by_day ON sales(sold_at);' },
      {
        on: 'hq',
        sql: 'CREATE TABLE autumn_offers (id INTEGER PRIMARY KEY, product INTEGER REFERENCES products(id), percent INTEGER NOT NULL);',
      },
    ],
    11: [{ on: 'till-2', sql: 'ALTER TABLE products ADD COLUMN allergens TEXT;' }],
    7: [{ on: 'harbour', sql: 'CREATE INDEX stock_by_product ON stock(product);' }],
    3: [{ on: 'hq', sql: 'DROP TABLE autumn_offers;' }],
  };
  return (changes[day] ?? []).map((change) => ({ kind: 'sql', agoMs: day * DAY - 9 * HOUR, ...change }));
}

/** Head office releases orders; Harbour Street, which does not hear of it, helps itself. */
function afternoonApart(random: SeededRandom, nowMs: number): readonly Act[] {
  const fromHq = headOfficeOrders(random, { first: 1, count: 212, fromMs: nowMs - 3 * HOUR });
  return [
    { kind: 'sql', agoMs: 3.2 * HOUR, on: 'hq', sql: ORDERS_AT_HEAD_OFFICE },
    { kind: 'sql', agoMs: 3.2 * HOUR - MINUTE, on: 'hq', sql: ORDER_LINES },
    { kind: 'sql', agoMs: 3.1 * HOUR, on: 'till-1', sql: ORDERS_AT_THE_TILL },
    { kind: 'sql', agoMs: 2.5 * HOUR, on: 'hq', sql: fromHq.orders },
    { kind: 'sql', agoMs: 2.5 * HOUR - MINUTE, on: 'hq', sql: fromHq.lines },
    {
      kind: 'sql',
      agoMs: 2.4 * HOUR,
      on: 'till-1',
      sql: tillOrders(random, { first: 1, count: 118, fromMs: nowMs - 3 * HOUR }),
    },
    { kind: 'sync', agoMs: 2 * HOUR, pulls: APART },
    {
      kind: 'sql',
      agoMs: 1.6 * HOUR,
      on: 'market',
      sql: headOfficeOrders(random, { first: 501, count: 34, fromMs: nowMs - 2 * HOUR }).orders,
    },
    {
      kind: 'sql',
      agoMs: 1.5 * HOUR,
      on: 'till-2',
      sql: newCustomers(random, { firstId: 1001, count: 24, nowMs }),
    },
    { kind: 'sql', agoMs: 1.4 * HOUR, on: 'hq', sql: priceRound(random, 60) },
    { kind: 'sync', agoMs: 1.2 * HOUR, pulls: APART },
  ];
}

/** The line is back, and the two shapes meet; everybody goes on working meanwhile. */
function sinceTheLineIsBack(random: SeededRandom, nowMs: number): readonly Act[] {
  return [
    { kind: 'sync', agoMs: 41 * MINUTE, pulls: ALL },
    {
      kind: 'sql',
      agoMs: 33 * MINUTE,
      on: 'till-1',
      sql: salesOf(random, { prefix: 'T1-0', shop: HARBOUR, count: 31, fromMs: nowMs - HOUR }),
    },
    {
      kind: 'sql',
      agoMs: 30 * MINUTE,
      on: 'hq',
      sql: newCustomers(random, { firstId: 2001, count: 40, nowMs }),
    },
    { kind: 'sync', agoMs: 25 * MINUTE, pulls: ALL },
    {
      kind: 'sql',
      agoMs: 14 * MINUTE,
      on: 'market',
      sql: salesOf(random, { prefix: 'M-0', shop: MARKET, count: 27, fromMs: nowMs - HOUR }),
    },
    {
      kind: 'sql',
      agoMs: 9 * MINUTE,
      on: 'till-1',
      sql: tillOrders(random, { first: 201, count: 14, fromMs: nowMs - 20 * MINUTE }),
    },
    { kind: 'sync', agoMs: 4 * MINUTE, pulls: ALL },
    { kind: 'sync', agoMs: 20 * SECOND, pulls: ALL },
  ];
}
