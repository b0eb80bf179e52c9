/** The wall clock part of an HLC as text, in milliseconds since the Unix epoch. */
export function hlcToMs(hlc: string): number {
  return Date.parse(hlc.slice(0, hlc.indexOf('Z') + 1));
}
