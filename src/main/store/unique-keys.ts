import type { IndexPart } from '../sql/ast.ts';
import { columnsNamed } from '../sql/expression-names.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { currentDefinition } from './live-table.ts';
import type { ReplicaStore } from './replica-store.ts';
import { readTableFacts, type UniqueFacts } from './table-facts.ts';
import type { TrackedTable } from './table-registry.ts';

/** A unique key of a table beside its primary key: of a constraint or an index, over columns or expressions, with or without a WHERE. */
export interface UniqueKey {
  /** As every replica names it, whatever its index is called. */
  readonly label: string;
  readonly parts: readonly KeyPart[];
  /** In the table's column names; null where every row is in the key. */
  readonly where: string | null;
  /** Ordinals of the columns that the key and its WHERE are computed from. */
  readonly columns: ReadonlySet<number>;
}

export interface KeyPart {
  /** In the table's column names. */
  readonly sql: string;
  readonly collation: string;
}

/** Reads the unique keys of a table, those left out whose index our reader cannot read. In the order of their labels. */
export function readUniqueKeys(store: ReplicaStore, table: TrackedTable): readonly UniqueKey[] {
  const facts = table.name === null ? null : readTableFacts(store.db, table.name);
  return (facts?.uniques ?? [])
    .flatMap((unique) => keyOf(store, table, unique) ?? [])
    .sort((left, right) => (left.label < right.label ? -1 : 1));
}

function keyOf(store: ReplicaStore, table: TrackedTable, unique: UniqueFacts): UniqueKey | null {
  const texts = unique.columns.map(({ name }, at) => partText(store, unique, { name, at }));
  if (!texts.every((text) => text !== null)) return null;
  const named = new Set([
    ...texts.flatMap((text) => [...columnsNamed(text)]),
    ...(unique.where === null ? [] : columnsNamed(unique.where)),
  ]);
  return {
    label: `${texts.map(bare).join(', ')}${unique.where === null ? '' : ` where ${unique.where}`}`,
    parts: texts.map((sql, at) => ({ sql, collation: unique.columns[at]?.collation ?? 'BINARY' })),
    where: unique.where,
    columns: ordinalsOf(store, table, named),
  };
}

/** A column by its quoted name, an expression as it is written. */
function partText(
  { catalog }: ReplicaStore,
  { name }: UniqueFacts,
  part: { readonly name: string | null; readonly at: number },
): string | null {
  if (part.name !== null) return quoteIdentifier(part.name);
  const index = catalog.read().indexes.get(foldIdentifier(name))?.definition;
  const written: IndexPart | undefined = index?.parts[part.at];
  return written?.kind === 'expression' ? `(${written.expression})` : null;
}

const bare = (text: string): string => text.replace(/^[("](.*)[)"]$/s, '$1');

/** What a generated column is computed from stands for it. */
function ordinalsOf(
  store: ReplicaStore,
  table: TrackedTable,
  names: ReadonlySet<string>,
): ReadonlySet<number> {
  const definition = currentDefinition(store, table.name ?? '');
  const wanted = new Set(names);
  for (const name of wanted) {
    const column = definition?.columns.find((candidate) => foldIdentifier(candidate.name) === name);
    for (const base of column?.generated === undefined ? [] : columnsNamed(column.generated.expression))
      wanted.add(base);
  }
  return new Set(table.columns.flatMap(({ col, name }) => (wanted.has(foldIdentifier(name)) ? [col] : [])));
}

/** Ordinals of the columns that any unique key of a table is computed from. Of one admission read once, as long as the catalog stays. */
export function claimedColumns(admission: Admission, table: TrackedTable): ReadonlySet<number> {
  const known = admission.claimedColumns.get(table.tbl);
  if (known !== undefined) return known;
  const columns = new Set(readUniqueKeys(admission.store, table).flatMap((key) => [...key.columns]));
  admission.claimedColumns.set(table.tbl, columns);
  return columns;
}
