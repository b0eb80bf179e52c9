/** What was given of a wish, without what was left open: the contract says undefined where a replica wants absence. */
export function givenOf<T extends object>(wish: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  // What is gone had the value undefined, which the type of the result leaves out.
  return Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };
}
