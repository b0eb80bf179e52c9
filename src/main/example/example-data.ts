import { present } from '#shared/assert.ts';
import type { SeededRandom } from '../scenario/seeded-random.ts';
import { insertSql, type Literal } from './insert-sql.ts';

// Rows of the example fleet. All of them follow from the seed and the moment at which the story ends.

export const HARBOUR = 1;
export const MARKET = 2;
const HEAD_OFFICE = 3;

const PRODUCTS = 240;
const CUSTOMERS = 620;
const STAFF = 26;

const KINDS: readonly (readonly [kind: string, names: readonly string[], price: number])[] = [
  [
    'bread',
    [
      'Sourdough',
      'Rye loaf',
      'Spelt loaf',
      'Seeded tin',
      'Baguette',
      'Ciabatta',
      'Farmhouse',
      'Potato bread',
    ],
    4.2,
  ],
  [
    'pastry',
    ['Croissant', 'Cinnamon swirl', 'Almond slice', 'Apple turnover', 'Custard tart', 'Poppy plait'],
    2.4,
  ],
  [
    'cake',
    ['Carrot cake', 'Lemon drizzle', 'Plum crumble', 'Honey cake', 'Walnut torte', 'Cheesecake'],
    18.5,
  ],
  ['drink', ['Filter coffee', 'Flat white', 'Black tea', 'Ginger ale', 'Apple juice', 'Hot chocolate'], 3.1],
  ['deli', ['Hummus', 'Goat cheese', 'Olive mix', 'Pickles', 'Tomato spread', 'Smoked trout'], 5.6],
];
const SIZES = 'small, regular, large, family, mini, half, box of four, box of six'.split(', ');
const FIRST =
  'Ada, Ben, Clara, Dario, Edith, Farid, Greta, Hugo, Ines, Jonas, Kaja, Luis, Mona, Nils, Olga, Paul, Rosa, Sami, Tilda, Urs, Vera, Wim, Xenia, Yann, Zoë'.split(
    ', ',
  );
const LAST =
  'Abel, Bauer, Castel, Dahl, Engel, Fabri, Graf, Holm, Iversen, Jansen, Kern, Lind, Moser, Novak, Otte, Pires, Quist, Rossi, Sorel, Thaler, Ulmer, Vogt, Weiss, Zeller'.split(
    ', ',
  );
const ROLES = 'sales, sales, sales, baker, shift lead, manager'.split(', ');
const NOTES =
  'ring the bell, for the school fair, no nuts, two slips, gift wrap, pays on Friday, slice it'.split(', ');

/** Shops, staff, products, customers and the first count of the stock. */
export function baseRows(random: SeededRandom, nowMs: number): string {
  return [
    'begin;',
    insertSql(
      'shops',
      ['id', 'name', 'street'],
      [
        [HARBOUR, 'Harbour Street', '12 Harbour Street'],
        [MARKET, 'Market Square', '3 Market Square'],
        [HEAD_OFFICE, 'Head office', '41 Mill Lane'],
      ],
    ),
    insertSql(
      'staff',
      ['id', 'shop', 'name', 'role'],
      rows(STAFF, (id) => [id, 1 + (id % 3), personName(random), pick(random, ROLES)]),
    ),
    insertSql(
      'products',
      ['id', 'name', 'kind', 'price', 'label'],
      rows(PRODUCTS, (id) => product(random, id)),
    ),
    insertSql(
      'customers',
      ['id', 'name', 'mail', 'since'],
      rows(CUSTOMERS, (id) => customer(random, { id, nowMs })),
    ),
    insertSql(
      'stock',
      ['shop', 'product', 'quantity', 'counted_at'],
      [HARBOUR, MARKET].flatMap((shop) =>
        rows(PRODUCTS, (id) => [shop, id, random.below(60), timeText(nowMs)]),
      ),
    ),
    'commit;',
  ].join('\n');
}

export interface SalesWish {
  /** Begins the numbers of the sales, so that two tills never draw the same. */
  readonly prefix: string;
  readonly shop: number;
  readonly count: number;
  /** When the day began; the sales spread over ten hours from there. */
  readonly fromMs: number;
}

/** A day at a till: sales with their lines, and what they took out of the stock, one transaction a sale. */
export function salesOf(random: SeededRandom, wish: SalesWish): string {
  const stepMs = (10 * 3_600_000) / wish.count;
  const sales = rows(wish.count, (number) => {
    const id = `${wish.prefix}-${String(number).padStart(4, '0')}`;
    const lines = rows(1 + random.below(4), (line) => [
      id,
      line,
      1 + random.below(PRODUCTS),
      1 + random.below(3),
      money(random, 1.5, 9),
    ]);
    const total = lines.reduce((sum, [, , , quantity, price]) => sum + Number(quantity) * Number(price), 0);
    const customerId = random.draw() < 0.4 ? 1 + random.below(CUSTOMERS) : null;
    return {
      lines,
      sale: [
        id,
        wish.shop,
        1 + random.below(STAFF),
        customerId,
        timeText(wish.fromMs + number * stepMs),
        cents(total),
      ],
    };
  });
  return [
    'begin;',
    insertSql(
      'sales',
      ['id', 'shop', 'staff', 'customer', 'sold_at', 'total'],
      sales.map(({ sale }) => sale),
    ),
    insertSql(
      'sale_lines',
      ['sale', 'line', 'product', 'quantity', 'price'],
      sales.flatMap(({ lines }) => lines),
    ),
    ...sales
      .slice(0, STOCK_MOVES)
      .map(
        ({ lines }) =>
          `update stock set quantity = quantity - 1 where shop = ${wish.shop} and product = ${String(lines[0]?.[2] ?? 1)};`,
      ),
    'commit;',
  ].join('\n');
}

const STOCK_MOVES = 12;

/** New prices for some products, in one transaction. */
export function priceRound(random: SeededRandom, count: number): string {
  const updates = rows(
    count,
    () => `update products set price = ${money(random, 1.8, 22)} where id = ${1 + random.below(PRODUCTS)};`,
  );
  return ['begin;', ...updates, 'commit;'].join('\n');
}

/** A count of the shelves of a shop. */
export function stockCount(
  random: SeededRandom,
  wish: { readonly shop: number; readonly atMs: number; readonly count: number },
): string {
  const updates = rows(
    wish.count,
    () =>
      `update stock set quantity = ${random.below(60)}, counted_at = '${timeText(wish.atMs)}' where shop = ${wish.shop} and product = ${1 + random.below(PRODUCTS)};`,
  );
  return ['begin;', ...updates, 'commit;'].join('\n');
}

/** Customers who came in lately. */
export function newCustomers(
  random: SeededRandom,
  wish: { readonly firstId: number; readonly count: number; readonly nowMs: number },
): string {
  return insertSql(
    'customers',
    ['id', 'name', 'mail', 'since'],
    rows(wish.count, (number) => customer(random, { id: wish.firstId + number - 1, nowMs: wish.nowMs })),
  );
}

/** Orders in the shape of head office, with their lines. */
export function headOfficeOrders(
  random: SeededRandom,
  wish: { readonly first: number; readonly count: number; readonly fromMs: number },
): { readonly orders: string; readonly lines: string } {
  const orders = rows(wish.count, (number) => [
    `H-${String(wish.first + number - 1).padStart(4, '0')}`,
    1 + random.below(CUSTOMERS),
    timeText(wish.fromMs + number * 20_000),
    dayText(wish.fromMs + (1 + random.below(9)) * 86_400_000),
    money(random, 6, 140),
    random.below(2),
  ]);
  const lines = orders.flatMap(([id]) =>
    rows(1 + random.below(3), (line) => [String(id), line, 1 + random.below(PRODUCTS), 1 + random.below(6)]),
  );
  return {
    orders: insertSql('orders', ['id', 'customer', 'placed_at', 'pickup_on', 'total', 'paid'], orders),
    lines: insertSql('order_lines', ['order', 'line', 'product', 'quantity'], lines),
  };
}

/** Orders in the shape of the till: totals as written on the slip, so that not all of them are numbers. */
export function tillOrders(
  random: SeededRandom,
  wish: { readonly first: number; readonly count: number; readonly fromMs: number },
): string {
  return insertSql(
    'orders',
    ['id', 'customer', 'placed_at', 'total', 'taken_by', 'note'],
    rows(wish.count, (number) => [
      `T1-${String(wish.first + number - 1).padStart(4, '0')}`,
      random.draw() < 0.7 ? 1 + random.below(CUSTOMERS) : null,
      timeText(wish.fromMs + number * 25_000),
      slipTotal(random, number),
      1 + random.below(STAFF),
      random.draw() < 0.3 ? pick(random, NOTES) : null,
    ]),
  );
}

/** Every seventh total is no number: a comma, a currency, a deposit. */
function slipTotal(random: SeededRandom, number: number): string {
  const amount = money(random, 4, 90);
  if (number % 28 === 7) return `${amount} incl. deposit`;
  if (number % 28 === 14) return `${String(amount).replace('.', ',')} €`;
  if (number % 28 === 21) return `about ${Math.round(amount)}`;
  if (number % 28 === 0) return 'see slip';
  return amount.toFixed(2);
}

function product(random: SeededRandom, id: number): readonly Literal[] {
  const [kind, names, price] = pick(random, KINDS);
  const name = `${pick(random, names)}, ${pick(random, SIZES)}`;
  const label = random.draw() < 0.2 ? random.bytes(12) : null;
  return [id, name, kind, cents(price * (0.6 + random.draw())), label];
}

function customer(
  random: SeededRandom,
  { id, nowMs }: { readonly id: number; readonly nowMs: number },
): readonly Literal[] {
  const name = personName(random);
  const mail =
    random.draw() < 0.8 ? `${name.toLowerCase().replace(/[^a-z]+/g, '.')}.${id}@example.org` : null;
  return [id, name, mail, dayText(nowMs - random.below(900) * 86_400_000)];
}

const personName = (random: SeededRandom): string => `${pick(random, FIRST)} ${pick(random, LAST)}`;

const money = (random: SeededRandom, from: number, to: number): number =>
  cents(from + random.draw() * (to - from));

const cents = (amount: number): number => Math.round(amount * 100) / 100;

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function pick<T>(random: SeededRandom, items: readonly T[]): T {
  return present(items[random.below(items.length)], 'a list to pick from has something in it');
}

/** One value a number, from 1. */
function rows<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
