import type { BlockedDetail, ConflictSide } from '#shared/api/blocked-procedures.ts';
import type { DefinitionDifference } from '#shared/model/views.ts';

import { hlcToMs } from '../../ui/hlc-model.ts';
import { counted, exactTime, momentWords } from '../../ui/words-model.ts';

/** Head of one of the two definitions: whose it is, and when and by whom it was made. */
export interface DefinitionHead {
  readonly title: string;
  readonly note: string;
  /** The exact moment, for hover. */
  readonly exact: string | null;
}

export function definitionHeads(
  detail: BlockedDetail,
  here: { readonly name: string; readonly nowMs: number },
): { readonly local: DefinitionHead; readonly remote: DefinitionHead } {
  const { name, nowMs } = here;
  const rows = detail.localRows === null ? null : counted(detail.localRows, 'row');
  return {
    local: head({ title: `Here, ${name}`, side: sideOf(detail, 'local'), rows, nowMs }),
    remote: head({
      title: `Coming in from ${detail.fromName}`,
      side: sideOf(detail, 'remote'),
      rows: null,
      nowMs,
    }),
  };
}

function sideOf(detail: BlockedDetail, side: ConflictSide['side']): ConflictSide | undefined {
  return detail.sides.find((candidate) => candidate.side === side);
}

function head(facts: {
  readonly title: string;
  readonly side: ConflictSide | undefined;
  readonly rows: string | null;
  readonly nowMs: number;
}): DefinitionHead {
  const { title, side, rows, nowMs } = facts;
  const madeMs = hlcMs(side);
  const made =
    side === undefined || madeMs === null ? [] : [`created ${momentWords(madeMs, nowMs)} by ${side.name}`];
  return {
    title,
    note: [...made, ...(rows === null ? [] : [rows])].join(', '),
    exact: madeMs === null ? null : exactTime(madeMs),
  };
}

function hlcMs(side: ConflictSide | undefined): number | null {
  const hlc = side?.hlc ?? null;
  return hlc === null ? null : hlcToMs(hlc);
}

/** One line of the table of differences. */
export interface DifferenceRow {
  readonly subject: string;
  readonly kind: string;
  readonly here: string;
  readonly comingIn: string;
  /** Both are pieces of DDL rather than words. */
  readonly isText: boolean;
  /** What it means for the rows, in words that hold whichever shape is chosen. */
  readonly means: string;
}

export function differenceRows(
  differences: readonly DefinitionDifference[],
  object: string,
): readonly DifferenceRow[] {
  return differences.map((difference) => {
    const words = KINDS[difference.kind] ?? UNKNOWN_KIND(difference.kind);
    return {
      subject: difference.subject === '' ? object : difference.subject,
      kind: words.name,
      ...sidesOf(difference, words),
      means: words.means(difference),
    };
  });
}

/** A whole column stands above in the definitions; here it is enough that it is there. */
function sidesOf(
  difference: DefinitionDifference,
  words: KindWords,
): Pick<DifferenceRow, 'here' | 'comingIn' | 'isText'> {
  const { kind, local, remote } = difference;
  if (kind === 'column' && (local === null || remote === null)) {
    return {
      here: local === null ? 'absent' : 'here',
      comingIn: remote === null ? 'absent' : 'there',
      isText: false,
    };
  }
  return { here: local ?? words.absent, comingIn: remote ?? words.absent, isText: true };
}

interface KindWords {
  readonly name: string;
  /** What it says where a side has nothing of the kind. */
  readonly absent: string;
  readonly means: (difference: DefinitionDifference) => string;
}

const plain = (name: string, absent: string, means: string): KindWords => ({
  name,
  absent,
  means: () => means,
});

const UNKNOWN_KIND = (kind: string): KindWords =>
  plain(kind, 'absent', 'the preview says what the rows go through');
const BROKEN_RULE = 'rows that break it become findings; none is lost';
const NO_ROWS = 'nothing: it holds no rows';

/** Words for the kinds of difference that a comparison of definitions knows. */
const KINDS: Readonly<Record<string, KindWords>> = {
  name: plain('name', 'absent', 'the same rows under another name'),
  column: { name: 'column', absent: 'absent', means: ({ local, remote }) => columnMeaning(local, remote) },
  type: { name: 'type', absent: 'none', means: ({ local, remote }) => typeMeaning(local, remote) },
  notNull: plain('NOT NULL', 'allows NULL', 'rows without a value are held under the shape that demands one'),
  default: plain('default', 'none', 'only new rows feel it'),
  collation: plain('collation', 'BINARY', 'values that differ only in case may become one'),
  generated: plain(
    'generated',
    'stored as written',
    'values are computed under one shape and written under the other',
  ),
  primaryKey: plain('primary key', 'none', 'rows are told apart by other columns'),
  unique: plain('unique', 'none', 'of two rows that claim one key the later is held'),
  check: plain('check', 'none', BROKEN_RULE),
  foreignKey: plain('foreign key', 'none', BROKEN_RULE),
  constraintName: plain('constraint name', 'none', 'nothing: only its name differs'),
  strict: plain('STRICT', 'not STRICT', 'values that do not fit their type are held under STRICT'),
  withoutRowid: plain('WITHOUT ROWID', 'with rowid', 'rows are stored in another way; their values stay'),
  table: plain('table', 'absent', NO_ROWS),
  part: plain('part', 'absent', NO_ROWS),
  where: plain('condition', 'none', NO_ROWS),
  columns: plain('columns', 'none', NO_ROWS),
  select: plain('query', 'absent', NO_ROWS),
  time: plain('time', 'absent', NO_ROWS),
  event: plain('event', 'absent', NO_ROWS),
  when: plain('condition', 'none', NO_ROWS),
  body: plain('body', 'absent', NO_ROWS),
};

function columnMeaning(local: string | null, remote: string | null): string {
  if (remote === null) return 'its values are held under the shape without it';
  if (local === null) return 'rows here get its default, or NULL';
  return 'another definition of the same column';
}

function typeMeaning(local: string | null, remote: string | null): string {
  const types = [local, remote].map((type) => affinityOf(type ?? ''));
  if (types.includes('TEXT') && types.some(isNumeric)) return 'numbers become text, or text becomes numbers';
  if (types.includes('INTEGER') && types.includes('REAL')) return 'fractions are cut where INTEGER is chosen';
  return 'values are converted to the chosen type';
}

const isNumeric = (affinity: string): boolean => ['INTEGER', 'REAL', 'NUMERIC'].includes(affinity);

/** SQLite's rules for the affinity of a declared type (sqlite.org/datatype3.html, 3.1). */
function affinityOf(type: string): string {
  const upper = type.toUpperCase();
  if (upper.includes('INT')) return 'INTEGER';
  if (/CHAR|CLOB|TEXT/.test(upper)) return 'TEXT';
  if (upper.includes('BLOB') || upper === '') return 'BLOB';
  return /REAL|FLOA|DOUB/.test(upper) ? 'REAL' : 'NUMERIC';
}
