/** The shortest list that still fails, found by leaving parts out, large ones first. */
export function shrink<Step>(
  steps: readonly Step[],
  fails: (candidate: readonly Step[]) => boolean,
): readonly Step[] {
  let left = steps;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < left.length;) {
      const candidate = [...left.slice(0, from), ...left.slice(from + size)];
      if (fails(candidate)) left = candidate;
      else from += size;
    }
  }
  return left;
}
