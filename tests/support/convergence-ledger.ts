import type { StoryWrite } from './convergence-steps.ts';

/** Where a token was written last, and what its writer knew. */
interface Entry {
  readonly token: string;
  readonly table: string;
  readonly id: string;
  readonly column: string;
  readonly step: number;
  readonly knew: Knowledge;
}

/** Number of row deletions that are known, by the replica that made them. */
type Knowledge = ReadonlyMap<string, number>;

interface Deletion {
  readonly table: string;
  readonly id: string;
  readonly by: string;
  /** Count of the deletions that its replica had made, this one included. */
  readonly n: number;
}

/**
 * Keeps the account of every value that was written, so that at the end each can be asked for: it must be in a table,
 * or held, or something must have taken its place: a write of the same cell that came later, a deletion of its row
 * that its writer did not know of or that came later, a drop of its table that knew of it.
 */
export interface Ledger {
  /** A write that went through at a replica; `row` are the values that the row had there before it. */
  readonly wrote: (
    write: StoryWrite,
    done: { readonly by: string; readonly step: number; readonly row: readonly string[] },
  ) => void;
  /** A replica has everything that another one knew of. */
  readonly pulled: (to: string, from: string) => void;
  /** A table that was dropped with these values in it: whoever dropped it knew of them. */
  readonly dropped: (tokens: Iterable<string>) => void;
  /** Tokens that nothing excuses and that are not among those found. */
  readonly missing: (found: ReadonlySet<string>) => readonly string[];
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>();
  const excused = new Set<string>();
  const latest = new Map<string, Entry>();
  const known = new Map<string, Knowledge>();
  const deletions: Deletion[] = [];

  const cellOf = (entry: Pick<Entry, 'table' | 'id' | 'column'>): string =>
    `${entry.table} ${entry.id} ${entry.column}`;
  const knewOf = ({ knew }: Entry, { by, n }: Deletion): boolean => (knew.get(by) ?? 0) >= n;
  const isOf = (entry: Entry, deletion: Deletion): boolean =>
    entry.table === deletion.table && entry.id === deletion.id;

  const note = (entry: Entry): void => {
    const before = latest.get(cellOf(entry));
    if (before !== undefined && before.token !== entry.token) excused.add(before.token);
    latest.set(cellOf(entry), entry);
    entries.set(entry.token, entry);
    if (deletions.some((deletion) => isOf(entry, deletion) && !knewOf(entry, deletion)))
      excused.add(entry.token);
  };
  const overwriteRow = (table: string, id: string): void => {
    for (const entry of entries.values())
      if (entry.table === table && entry.id === id) excused.add(entry.token);
  };
  const deleteRow = (table: string, id: string, by: string): void => {
    const n = (known.get(by)?.get(by) ?? 0) + 1;
    known.set(by, new Map([...(known.get(by) ?? []), [by, n]]));
    const deletion = { table, id, by, n };
    deletions.push(deletion);
    overwriteRow(table, id);
  };

  return {
    wrote: (write, { by, step, row }) => {
      const { table } = write;
      const id = String(write.id);
      if (write.op === 'delete') deleteRow(table, id, by);
      else if (write.op === 'move') {
        if (write.id === write.to) return;
        const moved = row
          .flatMap((token) => entries.get(token) ?? [])
          .filter(({ token }) => !excused.has(token));
        deleteRow(table, id, by);
        overwriteRow(table, String(write.to));
        const knew = known.get(by) ?? new Map<string, number>();
        for (const entry of moved) {
          excused.delete(entry.token);
          note({ ...entry, id: String(write.to), step, knew });
        }
      } else {
        const knew = known.get(by) ?? new Map<string, number>();
        // An insert writes the columns that it does not name, too.
        if (write.op === 'insert') overwriteRow(table, id);
        for (const [column, token] of Object.entries(write.cells))
          note({ token, table, id, column, step, knew });
      }
    },
    pulled: (to, from) => {
      const merged = new Map(known.get(to) ?? []);
      for (const [by, n] of known.get(from) ?? []) merged.set(by, Math.max(n, merged.get(by) ?? 0));
      known.set(to, merged);
    },
    dropped: (tokens) => {
      for (const token of tokens) excused.add(token);
    },
    missing: (found) =>
      [...entries.values()]
        .filter(({ token }) => !excused.has(token) && !found.has(token))
        .map((entry) => `${entry.token} (${cellOf(entry)}, step ${entry.step})`),
  };
}
