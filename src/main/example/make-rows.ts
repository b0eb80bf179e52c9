import { present } from '#shared/assert.ts';
import type { SeededRandom } from '../scenario/seeded-random.ts';

/** An amount of money between two bounds, with cents. */
export const money = (random: SeededRandom, from: number, to: number): number =>
  cents(from + random.draw() * (to - from));

export const cents = (amount: number): number => Math.round(amount * 100) / 100;

export const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** One of these. */
export function pick<T>(random: SeededRandom, items: readonly T[]): T {
  return present(items[random.below(items.length)], 'a list to pick from has something in it');
}

/** One value a number, from 1. */
export function makeRows<T>(count: number, make: (number: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
