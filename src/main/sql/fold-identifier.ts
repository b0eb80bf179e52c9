/** Makes names comparable as SQLite compares them: only A to Z lose their case, so É and é stay two names. */
export function foldIdentifier(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether SQLite takes two names for one. */
export function isSameName(left: string, right: string): boolean {
  return left === right || foldIdentifier(left) === foldIdentifier(right);
}
