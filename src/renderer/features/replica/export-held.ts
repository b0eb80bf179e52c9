import type { Client } from '#shared/api/types.ts';
import type { HeldSelection } from '#shared/model/held-decision.ts';
import type { HeldView } from '#shared/model/views.ts';

import { valueOf } from '../../api/client.ts';

/** Changes that are read at once. */
const PAGE = 1_000;

/** Saves held changes as one JSON document, every value exact; reads all pages. Changes nothing. */
export async function exportHeld(client: Client, ref: string, selection: HeldSelection): Promise<void> {
  const { ids, table, reason } = selection;
  const wish = { ...(table !== undefined && { table }), ...(reason !== undefined && { reason }) };
  const changes: HeldView[] = [];
  for (;;) {
    const last = changes.at(-1)?.id;
    const { items } = await valueOf(client, 'replica.held', {
      ref,
      limit: PAGE,
      ...wish,
      ...(last !== undefined && { before: last }),
    });
    changes.push(...items);
    if (items.length < PAGE) break;
  }
  const kept = changes.filter(({ id }) => ids?.includes(id) !== false);
  saveFile(
    `${ref.replaceAll('/', '-')}-held.json`,
    JSON.stringify({ format: 'concord-held', version: 1, replica: ref, changes: kept }, null, 2),
  );
}

function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
