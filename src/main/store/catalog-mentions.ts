import type { Mention } from '#shared/model/change-group.ts';

import type { DdlStatement } from '../sql/ast.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * The tables that a statement's text names, with those of their columns that it may mean: names and IDs as they are
 * now. More rather than fewer: a word that happens to be a column's name counts as one. Where the text has a `*`, all
 * columns of the tables named do.
 */
export function mentionsOf(
  store: Pick<ReplicaStore, 'registry'>,
  statement: DdlStatement,
): readonly Mention[] {
  const { names, hasStar } = wordsOf(canonicalStatement(statement));
  return [...names]
    .flatMap((name) => store.registry.byName(name) ?? [])
    .map((table) => mentionOf(table, hasStar ? null : names));
}

const mentionOf = (table: TrackedTable, names: ReadonlySet<string> | null): Mention => ({
  table: table.id,
  name: table.name ?? '',
  columns: table.liveColumns
    .filter(({ name }) => names === null || names.has(foldIdentifier(name)))
    .map(({ id, name }) => ({ id, name })),
});

interface Words {
  /** Folded. */
  readonly names: ReadonlySet<string>;
  readonly hasStar: boolean;
}

function wordsOf(text: string): Words {
  const names = new Set<string>();
  let hasStar = false;
  for (const token of scanTokens(text)) {
    if (token.kind === 'word') names.add(foldIdentifier(token.text));
    // SQLite takes a string for a name where a name must stand.
    else if (token.kind === 'quotedIdentifier' || token.kind === 'string')
      names.add(foldIdentifier(unquoteIdentifier(token.text)));
    else if (token.text === '*') hasStar = true;
  }
  return { names, hasStar };
}
