import type { Random } from '#main/engine/ports.ts';

export interface SeededRandom extends Random {
  /** From 0 (included) to 1 (excluded). */
  readonly draw: () => number;
}

/** Chance that can be told again: the same seed, the same story. Source: mulberry32, public domain. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;

  return { draw, bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(draw() * 256)) };

  function draw(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}
