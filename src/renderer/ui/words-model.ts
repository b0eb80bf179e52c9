// Numbers, lengths of time and moments as people read them. Units: every `...Ms` is milliseconds.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Moments are relative up to this age; after it the date says more. */
const RELATIVE_MAX_MS = 7 * DAY_MS;

const NUMBER = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** `1,284`. */
export function number(value: number): string {
  return NUMBER.format(value);
}

/** `1 change`, `1,284 changes`; nouns that add more than an s bring their plural. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${number(value)} ${value === 1 ? noun : plural}`;
}

/** `4 s`, `41 min`, `3 h`, `38 d`: the largest whole unit. */
export function lengthOfTime(ms: number): string {
  const length = Math.max(0, ms);
  if (length < MINUTE_MS) return `${number(Math.floor(length / SECOND_MS))} s`;
  if (length < HOUR_MS) return `${number(Math.floor(length / MINUTE_MS))} min`;
  if (length < DAY_MS) return `${number(Math.floor(length / HOUR_MS))} h`;
  return `${number(Math.floor(length / DAY_MS))} d`;
}

/** `now`, `4 s ago`, `in 38 s`, and the date beyond seven days. */
export function relativeTime(momentMs: number, nowMs: number): string {
  const ageMs = nowMs - momentMs;
  if (Math.abs(ageMs) < SECOND_MS) return 'now';
  if (Math.abs(ageMs) > RELATIVE_MAX_MS) return DAY.format(momentMs);
  return ageMs > 0 ? `${lengthOfTime(ageMs)} ago` : `in ${lengthOfTime(-ageMs)}`;
}

/** `30 Nov 2026, 14:40:52` in the reader's own time zone. */
export function exactTime(momentMs: number): string {
  return MOMENT.format(momentMs);
}

/** `14:40:52` on the reader's own clock. */
export function clockTime(momentMs: number): string {
  return CLOCK.format(momentMs);
}

/** `13:52:08` within a day, `27 Nov 2026` before it: a moment as a head or a list names it. */
export function momentWords(momentMs: number, nowMs: number): string {
  return Math.abs(nowMs - momentMs) < DAY_MS ? clockTime(momentMs) : DAY.format(momentMs);
}

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `412 MB`, by thousands; one decimal below ten. */
export function byteSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = unit > 0 && value < 9.95 ? value.toFixed(1) : number(Math.round(value));
  return `${text} ${BYTE_UNITS[unit] ?? 'bytes'}`;
}

/** `+0.3 s`, `−0.4 s`, `0.0 s`. */
export function signedSeconds(ms: number): string {
  const text = (Math.abs(ms) / SECOND_MS).toFixed(1);
  if (text === '0.0') return '0.0 s';
  return `${ms > 0 ? '+' : '−'}${text} s`;
}

/** `One`, `Two` … at the head of a sentence, digits beyond ten. */
export function numberWord(value: number): string {
  const words = ['None', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];
  return words[value] ?? number(value);
}
