/** `1 change`, `2 changes`, `no changes`; thousands set apart. */
export function countWords(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return `no ${many}`;
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

const UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

const RELATIVE_MAX_MS = 7 * 86_400_000;

/** `41 min ago`, `in 38 s`, `now`; beyond seven days the day itself. */
export function timeWords(atMs: number, nowMs: number): string {
  const awayMs = Math.abs(atMs - nowMs);
  if (awayMs > RELATIVE_MAX_MS) return new Date(atMs).toISOString().slice(0, 10);
  if (awayMs < 1000) return 'now';
  const length = lengthWords(awayMs);
  return atMs < nowMs ? `${length} ago` : `in ${length}`;
}

/** `41 min`, in the largest unit that it fills. */
export function lengthWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, size]) => ms >= size) ?? ['ms', 1];
  return `${Math.round(ms / unitMs)} ${unit}`;
}

const SIZES = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** `412 MB`. */
export function sizeWords(bytes: number): string {
  let size = bytes;
  let step = 0;
  while (size >= 1024 && step < SIZES.length - 1) {
    size /= 1024;
    step += 1;
  }
  return `${step === 0 || size >= 10 ? Math.round(size) : size.toFixed(1)} ${SIZES[step] ?? ''}`;
}
