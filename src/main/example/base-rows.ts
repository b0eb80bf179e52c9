import type { SeededRandom } from '../scenario/seeded-random.ts';
import { HARBOUR, MARKET, HEAD_OFFICE, PRODUCTS, CUSTOMERS, STAFF } from './example-sizes.ts';
import { insertSql, type Literal } from './insert-sql.ts';
import { cents, dayText, makeRows, money, pick, timeText } from './make-rows.ts';

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
      makeRows(STAFF, (id) => [id, 1 + (id % 3), personName(random), pick(random, ROLES)]),
    ),
    insertSql(
      'products',
      ['id', 'name', 'kind', 'price', 'label'],
      makeRows(PRODUCTS, (id) => product(random, id)),
    ),
    insertSql(
      'customers',
      ['id', 'name', 'mail', 'since'],
      makeRows(CUSTOMERS, (id) => customer(random, { id, nowMs })),
    ),
    insertSql(
      'stock',
      ['shop', 'product', 'quantity', 'counted_at'],
      [HARBOUR, MARKET].flatMap((shop) =>
        makeRows(PRODUCTS, (id) => [shop, id, random.below(60), timeText(nowMs)]),
      ),
    ),
    'commit;',
  ].join('\n');
}

/** New prices for some products, in one transaction. */
export function priceRound(random: SeededRandom, count: number): string {
  const updates = makeRows(
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
  const updates = makeRows(
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
    makeRows(wish.count, (number) => customer(random, { id: wish.firstId + number - 1, nowMs: wish.nowMs })),
  );
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
