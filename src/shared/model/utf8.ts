/** Bytes of a text in UTF-8. A half of a surrogate pair becomes U+FFFD, as everywhere. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) appendCodePoint(bytes, character.codePointAt(0) ?? 0);
  return Uint8Array.from(bytes);
}

function appendCodePoint(bytes: number[], codePoint: number): void {
  const point = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
  if (point < 0x80) bytes.push(point);
  else if (point < 0x800) bytes.push(0xc0 | (point >> 6), tail(point));
  else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), tail(point >> 6), tail(point));
  else bytes.push(0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point));
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f);

/** Text of UTF-8 bytes; null when they are not UTF-8 (overlong forms, surrogates and cut sequences included). */
export function decodeUtf8(bytes: Uint8Array): string | null {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const sequence = readSequence(bytes, at);
    if (sequence === null) return null;
    parts.push(String.fromCodePoint(sequence.codePoint));
    at += sequence.length;
  }
  return parts.join('');
}

/** First byte: its mask, marker and payload, and the lowest code point that may take so many bytes. */
const FORMS = [
  { mask: 0x80, marker: 0x00, payload: 0x7f, length: 1, lowest: 0 },
  { mask: 0xe0, marker: 0xc0, payload: 0x1f, length: 2, lowest: 0x80 },
  { mask: 0xf0, marker: 0xe0, payload: 0x0f, length: 3, lowest: 0x800 },
  { mask: 0xf8, marker: 0xf0, payload: 0x07, length: 4, lowest: 0x10000 },
] as const;

function readSequence(
  bytes: Uint8Array,
  at: number,
): { readonly codePoint: number; readonly length: number } | null {
  const first = bytes[at] ?? 0;
  const form = FORMS.find(({ mask, marker }) => (first & mask) === marker);
  if (form === undefined || at + form.length > bytes.length) return null;
  let codePoint = first & form.payload;
  for (const byte of bytes.subarray(at + 1, at + form.length)) {
    if ((byte & 0xc0) !== 0x80) return null;
    codePoint = (codePoint << 6) | (byte & 0x3f);
  }
  const isText =
    codePoint >= form.lowest && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return isText ? { codePoint, length: form.length } : null;
}
