import type { Admission } from './admission-context.ts';
import { admitBlock } from './admission-block.ts';
import { selectRows } from './admission-row-read.ts';
import { groupBody, readGroupBody } from './group-body.ts';
import { silenceAllTriggers } from './silence-triggers.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import { rowAsFact } from './unique-collision.ts';

// Rows of a table that is given another shape, as the facts that would bring them to a peer. They wait in a temporary
// table, outside of the replica's file: a table may have more of them than memory holds.

/** Rows that are read or admitted together. */
const STRETCH_ROWS = 1_000;

/** Puts all rows of a table aside, with their stamps. No trigger of the application fires when they come back. */
export function exportRows(admission: Admission, table: TrackedTable): void {
  const { db } = admission.store;
  silenceAllTriggers(admission, table.name ?? '');
  db.exec(`create temp table if not exists _concord_export (n integer primary key, body blob not null);
    delete from temp._concord_export`);
  const insert = db.prepare<[Uint8Array]>('insert into temp._concord_export (body) values (?)');
  for (const rows of stretchesOf(admission, table)) {
    for (const row of rows) insert.run(groupBody(rowAsFact(admission, table, row).group));
  }
}

function* stretchesOf(admission: Admission, table: TrackedTable): Generator<ReturnType<typeof selectRows>> {
  if (table.kind === TABLE_KIND.withoutRowid) {
    yield selectRows(admission, table, { where: '1 = 1', values: [] });
    return;
  }
  const order = `order by ${table.ridExpression} limit ${String(STRETCH_ROWS)}`;
  let rows = selectRows(admission, table, { where: `1 = 1 ${order}`, values: [] });
  for (let last = rows.at(-1)?.rid; last !== undefined; last = rows.at(-1)?.rid) {
    yield rows;
    rows = selectRows(admission, table, { where: `${table.ridExpression} > ? ${order}`, values: [last] });
  }
}

/**
 * Admits the rows that were put aside into their table as it is now. What finds no place there is held.
 *
 * `via`: whom their entries name as the one who brought them.
 */
export function admitExportedRows(
  admission: Admission,
  { via }: { readonly via: number | null } = { via: null },
): void {
  const { db } = admission.store;
  const next = db.prepareRaw<[bigint, number], [bigint, Uint8Array]>(
    'select n, body from temp._concord_export where n > ? order by n limit ?',
  );
  // Whoever brought the decision did not bring these rows.
  const inner: Admission = {
    ...admission,
    via,
    acceptsOwn: true,
    originOf: (group, hlc, site) => ({ ...admission.originOf(group, hlc, site), via }),
  };
  for (let rows = next.all(0n, STRETCH_ROWS); rows.length > 0;) {
    for (const [, body] of rows) {
      const group = readGroupBody(body);
      for (const block of group.blocks) admitBlock(inner, group, block);
    }
    rows = next.all(rows.at(-1)?.[0] ?? 0n, STRETCH_ROWS);
  }
  db.exec('delete from temp._concord_export');
}
