import type { Database } from 'better-sqlite3';

import type { HeldView } from '#shared/model/views.ts';

import { comparable, tokenOf, type RowContent, type TableContent } from './content.ts';
import type { GoneRow } from './short-lived-rows.ts';
import { heldValue, keyIds, valuesById, type Place, type Presence } from './presence.ts';

// The account of every value that was written. Nothing is told to it but what the replicas have before and after each
// step: what somebody's own statement took away is gone by right; what goes by itself, while a replica takes in what
// others did, must have a reason that somebody's own statement gave.

export interface Ledger {
  readonly ran: (by: Change, how: Run) => readonly Lost[];
  /** A replica took in what others did, or somebody decided something. */
  readonly tookIn: (by: Change, db: Database) => readonly Lost[];
  /** The file as it was after an earlier step was put back: what it lacks now is gone by right, and so is what it did since. */
  readonly wasRestored: (by: Change, fromStep: number) => void;
  /** Values that somebody took away and that are there all the same. */
  readonly cameBack: (presence: Presence) => readonly string[];
}

/** A replica's own statements. */
export interface Run {
  /** Which values they may take away. */
  readonly mayTake: (place: Place) => boolean;
  readonly stamps: Stamps;
  /** Rows that they took away on their way, which were not there before or are there again. */
  readonly gone: readonly GoneRow[];
}

/** A value that is gone, and where it was. */
export interface Lost {
  readonly text: string;
  readonly replica: string;
  readonly place: Place;
}

export interface Change {
  readonly replica: string;
  readonly step: number;
  readonly before: Presence;
  readonly after: Presence;
}

/** Between which stamps the values of a step were written. */
export interface Stamps {
  /** Stamps of the step are above this. */
  readonly above: bigint;
  /** And not above this; null where nobody knows yet. */
  readonly upTo: bigint | null;
  /** Rows may have come back in it: then not the stamp decides but the life. */
  readonly mayRevive: boolean;
}

/** A row that somebody deleted, or whose key somebody changed. */
interface Deletion {
  readonly table: TableName;
  readonly keyIds: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

/** A cell that somebody gave a value which is not unique. */
interface Blank {
  readonly table: TableName;
  readonly column: string;
  readonly keyIds: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

interface TableName {
  readonly id: string | null;
  readonly name: string;
}

export function createLedger(): Ledger {
  /** Values that somebody's own statement took away, with who and when. */
  const taken = new Map<number, { readonly replica: string; readonly step: number }>();
  const excused = new Set<number>();
  const written = new Map<number, Stamps>();
  /** Cells in which a value was seen: one that moved or was copied has several. */
  const cells = new Map<number, Set<string>>();
  const deletions: Deletion[] = [];
  const blanks: Blank[] = [];

  return { ran, tookIn, wasRestored, cameBack };

  function ran(change: Change, { mayTake, stamps, gone }: Run): readonly Lost[] {
    // A value that moves to another row is written there anew.
    for (const [token, places] of change.after.places)
      if (places.some((place) => place.kind === 'table' && cells.get(token)?.has(cellOf(place)) !== true))
        written.set(token, stamps);
    noteOwnChanges(change);
    for (const { table, values } of gone) deletions.push({ table, keyIds: keyIds(table), values });
    const faults: Lost[] = [];
    for (const { token, place } of vanished(change)) {
      if (mayTake(place)) taken.set(token, change);
      else if (!taken.has(token)) faults.push(lostOf(token, place, change));
    }
    return faults;
  }

  function tookIn(change: Change, db: Database): readonly Lost[] {
    const faults: Lost[] = [];
    for (const { token, place } of vanished(change)) {
      if (taken.has(token) || excused.has(token)) continue;
      if (isExcused({ token, place }, change, db)) excused.add(token);
      else faults.push(lostOf(token, place, change));
    }
    return faults;
  }

  function wasRestored({ replica }: Change, fromStep: number): void {
    for (const [token, by] of taken) if (by.replica === replica && by.step > fromStep) taken.delete(token);
  }

  function cameBack(presence: Presence): readonly string[] {
    return [...presence.places].flatMap(([token, places]) => {
      const by = taken.get(token);
      const [place] = places;
      if (by === undefined || place?.kind !== 'table' || (cells.get(token)?.size ?? 0) > 1) return [];
      return [`v${token} is in ${placeText(place)}, and ${by.replica} took it away at step ${by.step}`];
    });
  }

  function noteOwnChanges({ before, after }: Change): void {
    for (const [token, places] of after.places) {
      const seen = cells.get(token) ?? new Set<string>();
      for (const place of places) if (place.kind === 'table') seen.add(cellOf(place));
      cells.set(token, seen);
    }
    const later = new Map(after.content.tables.map((table) => [identityOf(table), table]));
    const earlier = new Map(before.content.tables.map((table) => [identityOf(table), table]));
    for (const table of before.content.tables) {
      const now = later.get(identityOf(table));
      if (now !== undefined) noteDeletions(table, now);
    }
    for (const table of after.content.tables) noteBlanks(earlier.get(identityOf(table)), table);
  }

  function noteDeletions(before: TableContent, after: TableContent): void {
    if (keyIds(before).join() !== keyIds(after).join()) return;
    const there = new Set(after.rows.map(({ key }) => key));
    for (const row of before.rows)
      if (!there.has(row.key))
        deletions.push({ table: before, keyIds: keyIds(before), values: valuesById(before, row) });
  }

  function noteBlanks(before: TableContent | undefined, after: TableContent): void {
    const rows = new Map((before?.rows ?? []).map((row) => [row.key, row]));
    for (const row of after.rows) {
      const was = rows.get(row.key);
      const values = valuesById(after, row);
      const earlier = was === undefined || before === undefined ? null : valuesById(before, was);
      after.columns.forEach((column, index) => {
        if (tokenOf(row.values[index]) !== null || earlier?.get(column.id) === values.get(column.id)) return;
        blanks.push({ table: after, column: column.id, keyIds: keyIds(after), values });
      });
    }
  }

  function isExcused({ token, place }: Vanished, { after }: Change, db: Database): boolean {
    if (place.kind === 'held') return isHeldExcused(token, place, after);
    const { table, row } = place;
    const column = table.columns[place.column];
    if (column === undefined) return false;
    const names = namesOf(db, table);
    const values = valuesById(table, row);
    const isThisRow = (other: Keyed) =>
      isEqualOn(other.keyIds, { values, others: other.values, names }) ||
      isEqualOn(keyIds(table), { values, others: other.values, names });
    if (deletions.some((deletion) => names.isTable(deletion.table) && isThisRow(deletion))) return true;
    // The most destructive wins, and a drop of a column holds nothing back: engine.md, section 3, Precedence.
    if (names.isDropped(column.id)) return true;
    const now = after.content.tables.find((candidate) => names.isTable(candidate));
    const heldHere = after.held.some(
      (fact) => names.isNamed(fact.table) && fact.values[column.name] !== undefined && fact.key.length > 0,
    );
    if (heldHere) return true;
    if (now === undefined) return false;
    const place2 = now.columns.findIndex(({ id }) => names.isColumn(id, column.id));
    const rowNow = sameRow(now, row, isThisRow);
    if (rowNow === undefined || place2 < 0) return false;
    const instead = tokenOf(rowNow.values[place2]);
    if (instead !== null) return !isOlder(instead, token);
    return blanks.some(
      (blank) => names.isTable(blank.table) && names.isColumn(blank.column, column.id) && isThisRow(blank),
    );
  }

  /** Whether a value was surely written before another one, in the same life of its row: then it cannot take its place. */
  function isOlder(one: number, other: number): boolean {
    const [older, newer] = [written.get(one), written.get(other)];
    if (older === undefined || newer === undefined || older.upTo === null || older.mayRevive) return false;
    return older.upTo <= newer.above;
  }

  /** A held value goes when its row is deleted or its cell written anew; names are all that a held change tells. */
  function isHeldExcused(
    token: number,
    { held, column }: Extract<Place, { kind: 'held' }>,
    after: Presence,
  ): boolean {
    const key = held.key.map((value) => comparable(heldValue(value))).join('|');
    const ofTable = after.content.tables.filter(
      ({ name }) => name.toLowerCase() === held.table.toLowerCase(),
    );
    const isInstead = (table: TableContent, row: RowContent): boolean => {
      if (row.key !== key && !hasKeyOf(table, row, held)) return false;
      const instead = tokenOf(row.values[table.columns.findIndex(({ name }) => name === column)]);
      return instead === null || !isOlder(instead, token);
    };
    return (
      ofTable.some((table) => table.rows.some((row) => isInstead(table, row))) ||
      after.held.some((other) => other.id !== held.id && other.values[column] !== undefined) ||
      deletions.some(
        (deletion) => deletion.keyIds.map((id) => deletion.values.get(id) ?? '').join('|') === key,
      )
    );
  }
}

interface Vanished {
  readonly token: number;
  readonly place: Place;
}

/** Values that were somewhere before and are nowhere now. */
function vanished({ before, after }: Change): readonly Vanished[] {
  return [...before.places].flatMap(([token, [place]]) =>
    place === undefined || after.places.has(token) ? [] : [{ token, place }],
  );
}

interface Keyed {
  readonly keyIds: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

/** The row that has taken a row's place. Keys that differ in case alone are two rows where their collation says so. */
function sameRow(
  table: TableContent,
  row: RowContent,
  isSame: (other: Keyed) => boolean,
): RowContent | undefined {
  const rows = table.rows.filter((other) =>
    isSame({ keyIds: keyIds(table), values: valuesById(table, other) }),
  );
  return rows.find((other) => hasSameKey(table, other, row)) ?? rows[0];
}

/** Whether two rows of a table have the same key to the letter. */
const hasSameKey = ({ columns }: TableContent, one: RowContent, other: RowContent): boolean =>
  columns.every(({ pk }, place) => pk === 0 || one.values[place] === other.values[place]);

/** Whether a row has the key of a held one, which may have waited under an earlier key of its table. */
const hasKeyOf = ({ columns }: TableContent, row: RowContent, { values }: HeldView): boolean => {
  const key = columns.flatMap(({ name, pk }, place) => (pk > 0 ? [[values[name], row.values[place]]] : []));
  return (
    key.length > 0 &&
    key.every(
      ([waiting, here]) => waiting !== undefined && comparable(heldValue(waiting)) === comparable(here),
    )
  );
};

const identityOf = ({ id, name }: TableName): string => id ?? name.toLowerCase();

const cellOf = ({ table, row, column }: Extract<Place, { kind: 'table' }>): string =>
  JSON.stringify([identityOf(table), row.key, table.columns[column]?.id]);

interface Names {
  readonly isTable: (table: TableName) => boolean;
  readonly isNamed: (name: string) => boolean;
  readonly isColumn: (one: string, other: string) => boolean;
  /** Of a column. */
  readonly isDropped: (id: string) => boolean;
}

/** What a replica takes for one table or column: twins have several IDs. */
function namesOf(db: Database, table: TableName): Names {
  const tableOf = new Map(
    db
      .prepare<[], readonly [string, number]>(
        `select id, tbl from _concord_table union all select id, tbl from _concord_alias where kind = 't'`,
      )
      .raw()
      .all(),
  );
  const columnOf = new Map(
    db
      .prepare<[], readonly [string, string]>(
        `select id, tbl || ' ' || col from _concord_column union all select id, tbl || ' ' || col from _concord_alias where kind = 'c'`,
      )
      .raw()
      .all(),
  );
  const dropped = new Set(
    db.prepare<[], string>(`select tbl || ' ' || col from _concord_column where name is null`).pluck().all(),
  );
  const own = table.id === null ? undefined : tableOf.get(table.id);
  const isNamed = (name: string): boolean => name.toLowerCase() === table.name.toLowerCase();
  return {
    isNamed,
    isDropped: (id) => dropped.has(columnOf.get(id) ?? ''),
    isTable: ({ id, name }) => (own === undefined || id === null ? isNamed(name) : tableOf.get(id) === own),
    isColumn: (one, other) => one === other || (columnOf.get(one) ?? one) === (columnOf.get(other) ?? other),
  };
}

/** Whether two rows have the same values in these columns; columns that either lacks do not differ, if any is left. */
function isEqualOn(
  ids: readonly string[],
  given: {
    readonly values: ReadonlyMap<string, string>;
    readonly others: ReadonlyMap<string, string>;
    readonly names: Names;
  },
): boolean {
  const find = (values: ReadonlyMap<string, string>, id: string): string | undefined =>
    values.get(id) ?? [...values].find(([other]) => given.names.isColumn(other, id))?.[1];
  return (
    ids.length > 0 &&
    ids.every((id) => {
      const [one, other] = [find(given.values, id), find(given.others, id)];
      return one !== undefined && one === other;
    })
  );
}

const lostOf = (token: number, place: Place, { replica, step }: Change): Lost => ({
  ...{ replica, place },
  text: `${replica} lost v${token} at step ${step}: it was in ${placeText(place)}`,
});

function placeText(place: Place): string {
  if (place.kind === 'held') return `what is held of ${place.held.table} (${place.held.reason})`;
  const { table, row, column } = place;
  return `${table.name}.${table.columns[column]?.name ?? ''} of row ${rowText(row)}`;
}

const rowText = ({ key }: RowContent): string => key;
