import type { SeededRandom } from '../scenario/seeded-random.ts';
import { PRODUCTS, CUSTOMERS, STAFF } from './example-sizes.ts';
import { insertSql } from './insert-sql.ts';
import { cents, makeRows, money, timeText } from './make-rows.ts';

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
  const sales = makeRows(wish.count, (number) => {
    const id = `${wish.prefix}-${String(number).padStart(4, '0')}`;
    const lines = makeRows(1 + random.below(4), (line) => [
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
