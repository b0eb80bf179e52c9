/** JSON with sorted keys: the same text for the same content. */
export const stableJson = (value: unknown): string => JSON.stringify(value, sortKeys, 2);

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
