/** What a fingerprint chip draws: a memory aid of hue and bars, and the code that is the sign. */
export interface FingerprintSign {
  readonly code: string;
  /** Degrees, one of twelve steps of thirty. */
  readonly hue: number;
  /** Six heights in pixels, 4 to 12. */
  readonly bars: readonly number[];
}

const CODE_LENGTH = 6;
const HUE_STEPS = 12;

/** Derives the sign from the whole fingerprint; equal fingerprints have equal signs. */
export function fingerprintSign(fingerprint: string): FingerprintSign {
  const seed = hashOf(fingerprint);
  return {
    code: fingerprint.slice(0, CODE_LENGTH),
    hue: (seed % HUE_STEPS) * 30,
    bars: Array.from({ length: CODE_LENGTH }, (_, index) => 4 + 2 * ((seed >>> (4 + index * 4)) % 5)),
  };
}

/** The fingerprint that most replicas have; of equals the first in order. Null when there is none. */
export function majorFingerprint(fingerprints: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const fingerprint of fingerprints) counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1);
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  return ranked[0]?.[0] ?? null;
}

/** FNV-1a over the characters, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
