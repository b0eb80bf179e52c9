import { z } from 'zod';

import { jsonToSqlValue, sqlValueToJson } from '#shared/model/json-sql-value.ts';
import { JsonSqlValue } from '#shared/model/sql-value.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

/** A place in the log: after the entry `seq`, and of the stretch entry that follows, after a row of it. */
export interface PagePlace {
  readonly seq: number;
  readonly inside: InsideStretch | null;
  /** Baselines are cut anywhere, between groups of their own. */
  readonly isBaseline: boolean;
}

export interface InsideStretch {
  /** Seq of the range or baseline. */
  readonly entry: number;
  /** Rowid, or key values, of the last row that was read. */
  readonly after: readonly SqlValue[];
}

/** How much of a large fact, as it was read, the puller has: the one that follows the place. */
export interface PieceMark {
  readonly of: string;
  readonly sent: number;
}

const PieceText = z.object({ piece: z.object({ of: z.string(), sent: z.number().int().min(0) }) });

/** What a cursor says of a fact that is on its way in pieces; null when it says nothing. */
export function parsePieceMark(cursor: { readonly inside?: string | undefined }): PieceMark | null {
  const parsed = PieceText.safeParse(cursor.inside === undefined ? null : readJson(cursor.inside));
  return parsed.success ? parsed.data.piece : null;
}

const InsideText = z.object({ entry: z.number().int(), after: z.array(JsonSqlValue) });

/** A cursor's place. Text that this replica did not write counts as no place inside. */
export function parsePlace(cursor: {
  readonly seq: number;
  readonly inside?: string | undefined;
}): PagePlace {
  const inside = cursor.inside === undefined ? null : parseInside(cursor.inside);
  return { seq: cursor.seq, inside, isBaseline: false };
}

/** The part of a place that `seq` does not say; null where that says it all. */
export function formatPlace(place: PagePlace, piece: PieceMark | null = null): string | null {
  const { inside } = place;
  if (inside === null) return piece === null ? null : JSON.stringify({ piece });
  return JSON.stringify({
    entry: inside.entry,
    after: inside.after.map(sqlValueToJson),
    ...(piece === null ? {} : { piece }),
  });
}

function parseInside(text: string): InsideStretch | null {
  const parsed = InsideText.safeParse(readJson(text));
  if (!parsed.success) return null;
  const after: SqlValue[] = [];
  for (const json of parsed.data.after) {
    const value = jsonToSqlValue(json);
    if (!value.ok) return null;
    after.push(value.value);
  }
  return { entry: parsed.data.entry, after };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
