import type { Hash, Random } from '../engine/ports.ts';

export interface SeededRandom extends Random {
  /** From 0 (included) to 1 (excluded). */
  readonly draw: () => number;
  /** A whole number from 0 to `count - 1`. */
  readonly below: (count: number) => number;
}

/**
 * The same numbers for the same seed, on every machine: for stories that are told again.
 *
 * Not for secrets. 128 bits of state, so that streams of different seeds do not meet.
 * Source: sfc32 by Chris Doty-Humphrey (PractRand).
 */
export function createSeededRandom(seed: string, hash: Hash): SeededRandom {
  const words = new DataView(hash(seed).buffer);
  let a = words.getUint32(0);
  let b = words.getUint32(4);
  let c = words.getUint32(8);
  let counter = words.getUint32(12) | 1;

  const draw = (): number => nextWord() / 2 ** 32;
  return {
    draw,
    below: (count) => Math.floor(draw() * count),
    bytes: (count) => Uint8Array.from({ length: count }, () => nextWord() & 0xff),
  };

  function nextWord(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  }
}

/** Length from which a draw is an ID rather than chance. */
const ID_BYTES = 16;

/**
 * Randomness of one replica: its IDs begin with its place, so that site IDs sort as the replicas were listed.
 *
 * `place` counts from 0 and stays below 65,535.
 */
export function createPlacedRandom(random: Random, place: number): Random {
  return {
    bytes: (count) => {
      const bytes = random.bytes(count);
      if (count >= ID_BYTES) bytes.set([(place + 1) >> 8, (place + 1) & 0xff]);
      return bytes;
    },
  };
}
