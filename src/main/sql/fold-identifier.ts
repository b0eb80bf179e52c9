/** Makes names comparable as SQLite compares them: only A to Z lose their case, so É and é stay two names. */
export function foldIdentifier(name: string): string {
  // Most names have nothing to fold, and names are folded all the time.
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}

/** Whether SQLite takes two names for one. */
export function isSameName(left: string, right: string): boolean {
  return left === right || foldIdentifier(left) === foldIdentifier(right);
}
