/** A small mistake in the source that the random stories of the schema must find. */
export interface PlantedBug {
  readonly what: string;
  /** Below `src/main`. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    what: 'alterations are folded in the order in which they came',
    file: 'engine/shape/read-history.ts',
    from: '(left, right) => compareStamps(left.stamp, right.stamp) || (left.id < right.id ? -1 : 1),',
    to: '() => 0,',
  },
  {
    what: 'the verdict of an alteration decides, not the record',
    file: 'store/admission-migrations.ts',
    from: 'if (table !== null && !isWarning && wouldSettle(store, table, migration)) {',
    to: "if (table !== null && verdict.verdict === 'execute') {",
  },
  {
    what: 'rows that do not know a column are filled with the default that it has by now',
    file: 'store/admission-unwritten.ts',
    from: 'const added = comparableDefault(defaultText ?? undefined);',
    to: 'const added = comparableDefault(column.defaultText);',
  },
  {
    what: 'columns that swap their names do not step aside',
    file: 'engine/shape/plan-columns.ts',
    from: 'addOne(draft) || makeRoom(draft));',
    to: 'addOne(draft));',
  },
  {
    what: 'a column of a decision takes the values of another one that had its name',
    file: 'store/admission-redefine.ts',
    from: 'return { column, from: table.liveColumns.find(({ col }) => known.has(col)) ?? null };',
    to: 'return { column, from: table.liveColumns.find(({ name }) => isSameName(name, column.name)) ?? null };',
  },
  {
    what: 'triggers fire for admitted rows',
    file: 'store/silence-triggers.ts',
    from: 'const silent = triggers.filter((trigger) => !staying.includes(trigger));',
    to: 'const silent: readonly TriggerInFile[] = [];',
  },
  {
    what: 'parked views and triggers never come back',
    file: 'store/parked-objects.ts',
    from: 'concerned.flatMap(({ kind, name }) => work.store.objects.get(kind, name) ?? []).filter(isBody),',
    to: '[],',
  },
  {
    what: 'broken views and triggers stay in the file',
    file: 'store/parked-objects.ts',
    from: 'concerned.filter(({ text }) => text !== null),',
    to: '[],',
  },
  {
    what: 'views and triggers keep the table names of their author',
    file: 'store/render-migration.ts',
    from: 'if (table.name !== mention.name) tables.set(key, table.name);',
    to: '',
  },
  {
    what: 'foreign keys and indexes keep the table names of their author',
    file: 'store/names-here.ts',
    from: 'tables.set(key, table.name ?? nameLeftBy(store, table) ?? mention.name);',
    to: '',
  },
  {
    what: 'a column that two replicas added has one ID only',
    file: 'store/migration-twins.ts',
    from: 'addTableAlias(store.db, { id: column.id, tbl: table.tbl, col });',
    to: '',
  },
  {
    what: 'a twin of what is dropped stays',
    file: 'store/admission-migrations.ts',
    from: "if (verdict.verdict !== 'convergeWithWarning') endDroppedLives(admission, migration);",
    to: '',
  },
  {
    what: 'a decision pairs columns by the names that they have by now',
    file: 'engine/resolution/plan-redefinition.ts',
    from: 'pair((left, right) => isSameName(left.madeAs ?? left.name, right.madeAs ?? right.name));',
    to: '',
  },
  {
    what: 'what a decision has answered is sent no more',
    file: 'store/admission-migrations.ts',
    from: "if (type !== 'redefine_table') return isByDecision && isAlteration(migration);",
    to: "if (type !== 'redefine_table') return false;",
  },
  {
    what: 'a decision does not say what its columns were added with',
    file: 'store/settle-table.ts',
    from: 'added === undefined ? [] : [[foldIdentifier(name), added] as const],',
    to: '[],',
  },
  {
    what: 'a twin that changes rows alone is passed over',
    file: 'store/admission-migrations.ts',
    from: 'if (table !== null && !isWarning && wouldSettle(store, table, migration)) {',
    to: 'if (table !== null && !isWarning && plannedChanges(store, table, migration).length > 0) {',
  },
  {
    what: 'tightenings do not wait for the rows of their unit',
    file: 'engine/migration/order-migrations.ts',
    from: 'if (facts.validatesRows(migration) && !busyObjects.has(object)) waiting.add(migration);\n    else busyObjects.add(object);',
    to: 'busyObjects.add(object);',
  },
  {
    what: 'facts under an earlier key find no row',
    file: 'store/admission-earlier-key.ts',
    from: 'return names.length > 0 && names.every((name) => name !== null) ? names : null;',
    to: 'return null;',
  },
  {
    what: 'rows that a drop did not know of go with the table',
    file: 'store/migration-drop.ts',
    from: 'holdUnknownRows(admission, drop.migration, table);',
    to: '',
  },
  {
    what: 'an index that goes with its column is still recorded',
    file: 'store/alter-tracking.ts',
    from: "store.migrations.retire({ types: ['create_index'], object: name });\n  store.objects.remove('index', name);",
    to: '',
  },
  {
    what: 'a column that is renamed keeps its name in the record',
    file: 'store/alter-tracking.ts',
    from: 'renameTrackedColumn(store.db, { tbl, col, name: action.newName });',
    to: 'renameTrackedColumn(store.db, { tbl, col, name: action.column });',
  },
  {
    what: 'canonical text forgets the direction of a key',
    file: 'sql/canonical/render-table.ts',
    from: "${column.descending ? ' DESC' : ''}`;",
    to: '`;',
  },
];
