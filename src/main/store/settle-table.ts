import type { Migration } from '#shared/model/change-group.ts';
import type { ColumnId } from '#shared/model/ids.ts';

import { driftOf, type Drift } from '../engine/shape/drift-of.ts';
import { foldShape, type FoldedTable } from '../engine/shape/fold-shape.ts';
import { planAlterations, type PlannedAlterations } from '../engine/shape/plan-alterations.ts';
import type { ColumnKey, ShapeRecord } from '../engine/shape/shape-record.ts';
import type { AlterAction, TableDefinition } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { Admission } from './admission-context.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { alterTable, type Alteration } from './alter-table.ts';
import { currentDefinition, currentText } from './live-table.ts';
import { parentChanges } from './names-here.ts';
import { namingOfTable } from './naming-migration.ts';
import { occupantOf } from './table-standing.ts';
import { refillsOf, refillUnwritten, type Refill } from './refill-unwritten.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

// The file follows the record: what a table looks like is a function of the migrations that are recorded for it, in
// whatever order they came. Why: docs/decisions/0012-the-file-follows-the-record.md.

/** What the record, and `arriving` with it, says that a table should look like; null of a table that was never recorded. */
export function shapeOf(
  store: ReplicaStore,
  table: TrackedTable,
  arriving: readonly Migration[] = [],
): FoldedTable | null {
  const recorded = store.migrations.ofTable(table.tbl).map(({ migration }) => migration);
  return foldShape(
    [...recorded, ...arriving].flatMap((migration) => shapeRecord(store, table, migration) ?? []),
  );
}

/** What brings a table's file up to its record, its rows included. */
export interface SettlingPlan extends PlannedAlterations {
  readonly wanted: FoldedTable | null;
  readonly refills: readonly Refill[];
}

/** Plans what brings a table up to its record, and to `arriving` as if that were recorded. */
export function planSettling(
  store: ReplicaStore,
  table: TrackedTable,
  arriving: readonly Migration[] = [],
): SettlingPlan {
  const wanted = shapeOf(store, table, arriving);
  const input = shapeInput(store, table, wanted);
  const planned = input === null ? NOTHING : planAlterations(input);
  return { ...planned, wanted, refills: input === null ? [] : refillsOf(table, addedDefaults(wanted)) };
}

/** Whether a plan finds anything to be done. */
export const doesAnything = ({ actions, refills }: SettlingPlan): boolean =>
  actions.length + refills.length > 0;

/** Where a table's file does not follow its record, in words of the planner; empty where it does. */
export function readDepartures(store: ReplicaStore, table: TrackedTable): readonly string[] {
  const input = shapeInput(store, table, shapeOf(store, table));
  if (input === null) return [];
  const { actions, isComplete } = planAlterations(input);
  return [...actions.map(({ kind }) => kind), ...(isComplete ? [] : ['what no statement changes'])];
}

/** Where a table differs from its record and may go on so. */
export function readDrift(store: ReplicaStore, table: TrackedTable): readonly Drift[] {
  if (!namesConstraints(store, table)) return [];
  const input = shapeInput(store, table, shapeOf(store, table));
  return input === null ? [] : driftOf(input);
}

/** Most tables have none of what may drift, which is told without a look at what their records make together. */
function namesConstraints(store: ReplicaStore, table: TrackedTable): boolean {
  const recorded = store.migrations.ofTable(table.tbl).map(({ migration }) => migration.ddl);
  return [currentText(store, table.name ?? ''), ...recorded].some((sql) => MAY_DRIFT.test(sql));
}

const MAY_DRIFT = /check|references|constraint/i;

interface ShapeInput {
  readonly current: TableDefinition;
  readonly currentColumns: ReadonlyMap<string, ColumnKey>;
  readonly wanted: FoldedTable;
}

function shapeInput(store: ReplicaStore, table: TrackedTable, wanted: FoldedTable | null): ShapeInput | null {
  const current = currentDefinition(store, table.name ?? '');
  if (wanted === null || current === null) return null;
  const currentColumns = new Map(
    table.liveColumns.map(({ name, col }) => [foldIdentifier(name), keyOfOrdinal(col)]),
  );
  return { current, currentColumns, wanted };
}

/**
 * Brings a table's file up to its record; returns whether anything had to be done. `plan`: the one that the record gives
 * now, where the caller has it. For `addedSeq` and `repoints` see `alterTable`.
 */
export function settleTable(
  admission: Admission,
  tbl: number,
  {
    addedSeq,
    repoints = false,
    plan,
  }: Pick<Alteration, 'addedSeq' | 'repoints'> & { readonly plan?: SettlingPlan | undefined },
): boolean {
  const { store } = admission;
  const table = store.registry.byTbl(tbl);
  if (typeof table?.name !== 'string') return false;
  const { wanted, actions, isComplete, refills } = plan ?? planSettling(store, table);
  // Creations that differ in what no statement changes are no twins, and decisions rebuild: the self-check says it too.
  if (!isComplete) store.ports.log.error('settle.incomplete', { table: table.name });
  if (actions.length + refills.length === 0) return false;
  refuseTakenName(store, { table, wanted, actions });
  // NULL may have to be let in first, and a value to be there before none may be missing.
  refillUnwritten(
    admission,
    tbl,
    refills.filter(({ defaultText }) => defaultText !== null),
  );
  if (actions.length > 0)
    alterTable(admission, {
      table,
      actions,
      addedSeq,
      columnId: (name) => idOfWanted(wanted, name),
      repoints,
    });
  refillUnwritten(
    admission,
    tbl,
    refills.filter(({ defaultText }) => defaultText === null),
  );
  admission.changedTables.add(tbl);
  return true;
}

const NOTHING: PlannedAlterations = { actions: [], isComplete: true };

/** A rename that waited for its table meets whatever took the name meanwhile: nobody guesses which of the two keeps it. */
function refuseTakenName(
  store: ReplicaStore,
  settling: {
    readonly table: TrackedTable;
    readonly wanted: FoldedTable | null;
    readonly actions: readonly AlterAction[];
  },
): void {
  const { table, wanted, actions } = settling;
  const rename = actions.find((action) => action.kind === 'renameTable');
  if (wanted === null || rename === undefined) return;
  const occupant = occupantOf(store, { name: rename.newName, table });
  if (occupant === null) return;
  const other = store.registry.byName(rename.newName);
  const naming = other === null ? null : namingOfTable(store, other);
  const { id } = wanted.holders.name;
  throw new AdmissionRefused({
    cause: 'nameCollision',
    object: rename.newName,
    message: `The name ${rename.newName} is taken: here it is ${occupant}, and ${table.name ?? ''} is to have it. Rename one of them; nothing of the batch is in the tables until then.`,
    migrations: [naming?.id ?? id, id],
    localDdl: occupant,
    remoteDdl: `the table ${table.name ?? ''} as ${rename.newName}`,
  });
}

/** What the columns that are here count as added with. */
const addedDefaults = (wanted: FoldedTable | null): readonly Refill[] =>
  (wanted?.columns ?? []).flatMap(({ key, addedDefault }) =>
    key.startsWith(ORDINAL)
      ? [{ col: Number(key.slice(ORDINAL.length)), defaultText: addedDefault ?? null }]
      : [],
  );

/** The ID that a column that is to be added came with. */
function idOfWanted(wanted: FoldedTable | null, name: string): ColumnId | null {
  const key = wanted?.columns.find((column) => foldIdentifier(column.name) === foldIdentifier(name))?.key;
  // Keys of columns that are not here are their IDs.
  return key === undefined || key.startsWith(ORDINAL) ? null : (key as ColumnId);
}

const ORDINAL = '#';

const keyOfOrdinal = (col: number): ColumnKey => `${ORDINAL}${String(col)}`;

/** What the fold knows a column by: its place here, else its ID. */
export function columnKeyOf(store: ReplicaStore, table: TrackedTable, id: ColumnId): ColumnKey {
  const col = store.registry.ordinalOf(table, id);
  return col === null ? id : keyOfOrdinal(col);
}

/** Of the IDs that a decision makes one the one that its column is known by here. */
export function knownIdOf(
  store: ReplicaStore,
  table: TrackedTable,
  ids: readonly ColumnId[],
): ColumnId | undefined {
  const isLive = (id: ColumnId): boolean =>
    table.liveColumns.some(({ col }) => col === store.registry.ordinalOf(table, id));
  return ids.find(isLive) ?? ids.find((id) => store.registry.ordinalOf(table, id) !== null) ?? ids[0];
}

/** A migration as the fold wants it; null where its statement cannot be read, or is none of a table's shape. */
function shapeRecord(store: ReplicaStore, table: TrackedTable, migration: Migration): ShapeRecord | null {
  if (migration.kind !== 'table') return null;
  const parsed = parseDdl(migration.ddl);
  if (!parsed.ok) return null;
  const keyOf = (id: ColumnId): ColumnKey => columnKeyOf(store, table, id);
  const [subject] = migration.columns;
  return {
    id: migration.id,
    type: migration.type,
    stamp: migration.stamp,
    knew: migration.knew,
    statement: parsed.value,
    others: parentChanges(store, migration, parsed.value),
    added: new Map(
      (migration.redefine?.columnMap ?? []).flatMap(({ name, added }) =>
        added === undefined ? [] : [[foldIdentifier(name), added] as const],
      ),
    ),
    unifies: (migration.redefine?.creations ?? []).map((creation) => creation.migration),
    columnIds: new Map(
      namesIn(store, table, migration).map(({ name, id }) => [foldIdentifier(name), keyOf(id)]),
    ),
    subject: subject === undefined || !migration.type.endsWith('column') ? null : keyOf(subject.id),
  };
}

interface NamedColumn {
  readonly id: ColumnId;
  readonly name: string;
}

/** Every column of its own table that a migration names, by the names of its author. */
function namesIn(store: ReplicaStore, table: TrackedTable, migration: Migration): readonly NamedColumn[] {
  const mentioned = migration.mentions
    .filter((mention) => store.registry.byId(mention.table)?.tbl === table.tbl)
    .flatMap(({ columns }) => columns);
  const decided = (migration.redefine?.columnMap ?? []).flatMap(({ name, ids }) => {
    const id = knownIdOf(store, table, ids);
    return id === undefined ? [] : [{ id, name }];
  });
  return [...mentioned, ...decided, ...migration.columns];
}
