import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';

export interface Renaming<Subject> {
  readonly subject: Subject;
  readonly from: string;
  readonly to: string;
}

/**
 * Puts renames into an order in which each finds its new name free, by way of a passing name where some have swapped
 * theirs. `taken`: all names of the same kind, before and after, that a passing name must not be.
 */
export function orderRenames<Subject>(
  renames: readonly Renaming<Subject>[],
  taken: Iterable<string>,
): readonly Renaming<Subject>[] {
  const names = new Set([...taken, ...renames.flatMap(({ from, to }) => [from, to])].map(foldIdentifier));
  const ordered: Renaming<Subject>[] = [];
  let waiting = [...renames];
  while (waiting.length > 0) {
    const ready = waiting.find((rename) => !isInTheWay(waiting, rename));
    if (ready !== undefined) {
      ordered.push(ready);
      waiting = waiting.filter((rename) => rename !== ready);
      continue;
    }
    const [first, ...rest] = waiting;
    if (first === undefined) break;
    const passing = freeName(first.to, names);
    ordered.push({ ...first, to: passing });
    waiting = [...rest, { ...first, from: passing }];
  }
  return ordered;
}

/** Whether another one has the new name still. */
const isInTheWay = <Subject>(
  waiting: readonly Renaming<Subject>[],
  { subject, to }: Renaming<Subject>,
): boolean => waiting.some((other) => other.subject !== subject && isSameName(other.from, to));

function freeName(name: string, names: Set<string>): string {
  let counter = 1;
  while (names.has(foldIdentifier(`${name}~${String(counter)}`))) counter += 1;
  const free = `${name}~${String(counter)}`;
  names.add(foldIdentifier(free));
  return free;
}
