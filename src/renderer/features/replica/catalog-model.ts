import type { CatalogObject, ColumnView } from '#shared/model/views.ts';
import { ObjectKind } from '#shared/model/vocabulary.ts';

import type { GridEntry } from '../../ui/grid-model.ts';
import { counted } from '../../ui/words-model.ts';

/** Names an object within a catalog, also in the address. */
export function objectKey(object: Pick<CatalogObject, 'kind' | 'name'>): string {
  return `${object.kind}:${object.name}`;
}

const PLURALS: Readonly<Record<ObjectKind, string>> = {
  table: 'Tables',
  index: 'Indexes',
  view: 'Views',
  trigger: 'Triggers',
};

/** Objects under heads of their kind, by name. */
export function catalogEntries(objects: readonly CatalogObject[]): readonly GridEntry<CatalogObject>[] {
  return ObjectKind.options.flatMap((kind) => {
    const members = objects.filter((object) => object.kind === kind);
    if (members.length === 0) return [];
    const rows = [...members].sort((a, b) => a.name.localeCompare(b.name));
    return [
      { kind: 'group', key: kind, label: PLURALS[kind], note: counted(rows.length, 'object') } as const,
      ...rows.map((row) => ({ kind: 'row', row }) as const),
    ];
  });
}

/** The object that the address names; else one that is blocked, else the first of the list. */
export function shownObject(
  objects: readonly CatalogObject[],
  wish: { readonly selected: string | undefined; readonly blocked: ReadonlySet<string> },
): CatalogObject | undefined {
  const first = catalogEntries(objects).find((entry) => entry.kind === 'row');
  return (
    objects.find((object) => objectKey(object) === wish.selected) ??
    objects.find(({ name }) => wish.blocked.has(name)) ??
    first?.row
  );
}

/** `key, NOT NULL, default 0`: what holds for a column beside its type. */
export function columnRules(column: ColumnView): string {
  const rules = [
    column.primaryKey > 0 ? 'key' : '',
    column.notNull ? 'NOT NULL' : '',
    column.defaultText === null ? '' : `default ${column.defaultText}`,
    column.collation === null || column.collation === 'BINARY' ? '' : column.collation,
    column.generated ? 'generated' : '',
  ];
  return rules.filter((rule) => rule !== '').join(', ');
}
