import type { SeededRandom } from '../scenario/seeded-random.ts';
import { PRODUCTS, CUSTOMERS, STAFF } from './example-sizes.ts';
import { insertSql } from './insert-sql.ts';
import { dayText, makeRows, money, pick, timeText } from './make-rows.ts';

const NOTES =
  'ring the bell, for the school fair, no nuts, two slips, gift wrap, pays on Friday, slice it'.split(', ');

/** Orders in the shape of head office, with their lines. */
export function headOfficeOrders(
  random: SeededRandom,
  wish: { readonly first: number; readonly count: number; readonly fromMs: number },
): { readonly orders: string; readonly lines: string } {
  const orders = makeRows(wish.count, (number) => [
    `H-${String(wish.first + number - 1).padStart(4, '0')}`,
    1 + random.below(CUSTOMERS),
    timeText(wish.fromMs + number * 20_000),
    dayText(wish.fromMs + (1 + random.below(9)) * 86_400_000),
    money(random, 6, 140),
    random.below(2),
  ]);
  const lines = orders.flatMap(([id]) =>
    makeRows(1 + random.below(3), (line) => [
      String(id),
      line,
      1 + random.below(PRODUCTS),
      1 + random.below(6),
    ]),
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
    makeRows(wish.count, (number) => [
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
