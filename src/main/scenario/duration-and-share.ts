import { filledText, mistake, nodeText, scalar, type Reader } from './yaml-readers.ts';

// Lengths of time, shares and places in a scenario, as they are written.

const DURATION = /^([+-]?)(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const PERCENT = /^(\d+(?:\.\d+)?)%$/;
const STEP = /^step ([1-9]\d{0,5})$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a length of time with a sign: milliseconds. */
export const offset: Reader<number> = (place, scope) => {
  const said = filledText(place, scope).trim();
  const parts = DURATION.exec(said);
  if (parts === null) {
    return mistake(
      place,
      `${place.what} must be a length of time such as 250ms, 5s, 10m, 3h or 31d, not "${said}"`,
    );
  }
  const [, sign, amount = '0', unit = 'ms'] = parts;
  const ms = Math.round(Number(amount) * (UNIT_MS[unit] ?? 1));
  return sign === '-' ? 0 - ms : ms;
};

/** Reads a length of time that is not negative: milliseconds. */
export const duration: Reader<number> = (place, scope) => {
  const ms = offset(place, scope);
  return ms >= 0 ? ms : mistake(place, `${place.what} cannot be negative: clocks move on`);
};

/** Reads `40%` as 0.4. */
export const share: Reader<number> = (place, scope) => {
  const value = scalar(place, scope);
  const parts = typeof value === 'string' ? PERCENT.exec(value) : null;
  const percent = Number(parts?.[1] ?? Number.NaN);
  if (percent >= 0 && percent <= 100) return percent / 100;
  return mistake(place, `${place.what} must be a share from 0% to 100%, not ${nodeText(place.node)}`);
};

/** Reads a probability from 0 to below 1: lost for ever would never end. */
export const lossRate: Reader<number> = (place, scope) => {
  const value = scalar(place, scope);
  const rate = typeof value === 'bigint' ? Number(value) : value;
  if (typeof rate === 'number' && rate >= 0 && rate < 1) return rate;
  return mistake(place, `${place.what} must be a number from 0 to below 1, not ${nodeText(place.node)}`);
};

/** Reads `step 3` as 3. */
export const stepNumber: Reader<number> = (place, scope) => {
  const value = scalar(place, scope);
  const parts = typeof value === 'string' ? STEP.exec(value) : null;
  return parts === null
    ? mistake(place, `${place.what} must read "step 3", not ${nodeText(place.node)}`)
    : Number(parts[1]);
};
