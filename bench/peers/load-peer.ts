/** A product of `bench/peers/package.json`, typed by the part of it that is used. */
export async function loadPeer<T>(name: string): Promise<T> {
  // The main install does not have them, so no compiler can know their types.
  return (await import(name)) as T;
}
