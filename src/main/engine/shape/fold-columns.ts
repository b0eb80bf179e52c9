import type { AlterAction, ColumnDefinition, NotNullClause } from '../../sql/ast.ts';
import { foldIdentifier } from '../../sql/fold-identifier.ts';
import { renameInColumn } from '../../sql/rename-in-definition.ts';
import type { ColumnRegister } from '../migration/register.ts';
import type { ConstraintLife } from './constraint-lives.ts';
import { keyOf, keysNamed } from './constraint-source.ts';
import { contextOf, type TableNames } from './names-here.ts';
import { ofKind, type Alteration, type ShapeHistory } from './read-history.ts';
import type { ColumnKey, ShapeRecord } from './shape-record.ts';

/** A statement that makes a column: the table's, or an ADD COLUMN. */
export interface ColumnSource {
  readonly record: ShapeRecord;
  /** The table's name in the statement. */
  readonly table: string;
  readonly definition: ColumnDefinition;
}

/** A column that is there, before names are settled. */
export interface ColumnLife {
  readonly key: ColumnKey;
  /** What makes it, the lowest stamp first: twins do it more than once. */
  readonly sources: readonly [ColumnSource, ...ColumnSource[]];
  /** The name that it is to have, and what gave it. */
  readonly name: string;
  readonly named: ShapeRecord;
  /** Which migration holds each register. */
  readonly holders: Readonly<Record<ColumnRegister, ShapeRecord>>;
  readonly values: ColumnValues;
}

interface ColumnValues {
  readonly type: string;
  readonly notNull: NotNullClause | undefined;
  readonly defaultText: string | undefined;
  readonly collation: string | undefined;
}

/**
 * Folds the columns of a table, those of its definition first.
 *
 * Adds unite, and of twin adds the later one's type, NOT NULL, DEFAULT and COLLATE hold. An alteration beats them, of
 * alterations of one register the later holds. A drop ends a column whatever else was done to it, and takes along the
 * generated columns that need it.
 */
export function foldColumns(
  history: ShapeHistory,
  constraints: readonly ConstraintLife[],
): readonly ColumnLife[] {
  const made = sourcesByColumn(history);
  const drops = ofKind(history.alterations, 'dropColumn');
  const firstDrop = (key: ColumnKey): Alteration | undefined =>
    drops.find(({ record }) => record.subject === key);
  const kept = new Map([...made].filter(([key]) => firstDrop(key) === undefined));
  const standing = withoutOrphans(kept);
  if (![...standing.values()].some(isPlain)) {
    // A table has at least one column: where everybody dropped another one, the last to be dropped stays.
    const last = drops.findLast(({ record: { subject }, record }) => {
      const source = subject === null ? undefined : made.get(subject);
      return source !== undefined && isPlain(source) && firstDrop(subject ?? '')?.record === record;
    });
    const key = last?.record.subject ?? null;
    const source = key === null ? undefined : made.get(key);
    if (key !== null && source !== undefined) standing.set(key, source);
  }
  return [...standing].map(([key, sources]) => foldColumn({ history, constraints }, key, sources));
}

type Sources = readonly [ColumnSource, ...ColumnSource[]];

const isPlain = (sources: Sources): boolean => generatedBy(sources) === null;

function sourcesByColumn({ base, alterations, isDecided }: ShapeHistory): ReadonlyMap<ColumnKey, Sources> {
  const made = new Map<ColumnKey, Sources>();
  const { record, table } = base;
  for (const definition of table.columns)
    made.set(keyOf(record, definition.name), [{ record, table: table.name, definition }]);
  const ofBase = new Set(made.keys());
  for (const added of ofKind(alterations, 'addColumn')) {
    const definition = added.action.column;
    const key = added.record.subject ?? keyOf(added.record, definition.name);
    // What a decision has in its shape is as the decision says.
    if (isDecided && ofBase.has(key)) continue;
    const source = { record: added.record, table: added.table, definition };
    made.set(key, [...(made.get(key) ?? []), source] as readonly ColumnSource[] as Sources);
  }
  return made;
}

/** The source that says how a column is generated: the latest, as of registers. Null of a plain column. */
const generatedBy = (sources: Sources): ColumnSource | null => {
  const latest = sources.at(-1);
  return latest?.definition.generated === undefined ? null : latest;
};

/** Leaves out generated columns that need a column which is not there, and those that need them. */
function withoutOrphans(sources: ReadonlyMap<ColumnKey, Sources>): Map<ColumnKey, Sources> {
  const left = new Map(sources);
  let size: number;
  do {
    size = left.size;
    for (const [key, own] of left) {
      const generated = generatedBy(own);
      const expression = generated?.definition.generated?.expression;
      if (generated === null || expression === undefined) continue;
      if (keysNamed(generated.record, expression).some((needed) => !left.has(needed))) left.delete(key);
    }
  } while (left.size < size);
  return left;
}

interface ColumnHistory {
  readonly history: ShapeHistory;
  readonly constraints: readonly ConstraintLife[];
}

type ColumnAction = Extract<
  AlterAction,
  { kind: 'setDataType' | 'setNotNull' | 'dropNotNull' | 'setDefault' | 'dropDefault' | 'setCollation' }
>;

function foldColumn(context: ColumnHistory, key: ColumnKey, sources: Sources): ColumnLife {
  const { alterations } = context.history;
  const own = alterations.filter(({ record }) => record.subject === key);
  const renamed = ofKind(own, 'renameColumn').at(-1);
  const [first] = sources;
  const latest = sources.at(-1) ?? first;
  const altered = (kinds: readonly ColumnAction['kind'][]): Alteration<ColumnAction> | undefined =>
    own.findLast((one): one is Alteration<ColumnAction> =>
      (kinds as readonly string[]).includes(one.action.kind),
    );
  const dataType = altered(['setDataType']);
  const notNull = notNullOf(context, { key, latest, altered: altered(['setNotNull', 'dropNotNull']) });
  const byDefault = altered(['setDefault', 'dropDefault']);
  const collation = altered(['setCollation']);
  const { definition } = latest;
  return {
    key,
    sources,
    name: renamed?.action.newName ?? first.definition.name,
    named: renamed?.record ?? first.record,
    holders: {
      dataType: (dataType ?? latest).record,
      notNull: notNull.holder,
      default: (byDefault ?? latest).record,
      collation: (collation ?? latest).record,
    },
    values: {
      type: dataType?.action.kind === 'setDataType' ? dataType.action.type : definition.type,
      notNull: notNull.clause,
      defaultText: defaultOf(byDefault?.action, definition),
      collation:
        collation?.action.kind === 'setCollation' ? collation.action.collation : definition.collation,
    },
  };
}

function defaultOf(action: ColumnAction | undefined, { defaultText, generated }: ColumnDefinition) {
  if (generated !== undefined) return undefined;
  if (action === undefined) return defaultText;
  return action.kind === 'setDefault' ? action.defaultText : undefined;
}

/** NOT NULL can also be dropped as a constraint, by its name. */
function notNullOf(
  { history, constraints }: ColumnHistory,
  {
    key,
    latest,
    altered,
  }: {
    readonly key: ColumnKey;
    readonly latest: ColumnSource;
    readonly altered: Alteration<ColumnAction> | undefined;
  },
): { readonly holder: ShapeRecord; readonly clause: NotNullClause | undefined } {
  const named = constraints.find(
    ({ sources: [source] }) => source.body === 'notNull' && source.column === key,
  );
  const dropped = named?.drops.at(-1);
  const isDropped =
    dropped !== undefined && (altered === undefined || isBefore(history, altered.record, dropped));
  if (isDropped) return { holder: dropped, clause: undefined };
  const name = named === undefined || named.drops.length > 0 ? undefined : nameOf(named);
  if (altered === undefined) {
    const { notNull } = latest.definition;
    return { holder: latest.record, clause: notNull === undefined ? undefined : { ...notNull, name } };
  }
  const { action, record } = altered;
  if (action.kind !== 'setNotNull') return { holder: record, clause: undefined };
  return { holder: record, clause: { name, conflict: action.conflict } };
}

const isBefore = ({ alterations }: ShapeHistory, left: ShapeRecord, right: ShapeRecord): boolean =>
  alterations.findIndex(({ record }) => record === left) <
  alterations.findIndex(({ record }) => record === right);

/** What a constraint is called by now. */
export const nameOf = ({ sources: [first], renames }: ConstraintLife): string | undefined =>
  renames.at(-1)?.newName ?? first.name;

/** The definition of a column under the names that hold, without the constraints that it may have. */
export function renderColumn(life: ColumnLife, names: TableNames): ColumnDefinition {
  const { sources, values, key } = life;
  const latest = sources.at(-1) ?? sources[0];
  const { definition } = latest;
  const { generated } = renameInColumn(
    { ...definition, references: [], checks: [] },
    contextOf(latest, names),
  );
  return {
    name: names.columns.get(key) ?? life.name,
    ...values,
    primaryKey: undefined,
    uniques: [],
    checks: [],
    references: [],
    generated,
  };
}

/** Folded, to look names up. */
export const foldedNames = (names: TableNames): ReadonlyMap<string, ColumnKey> =>
  new Map([...names.columns].map(([key, name]) => [foldIdentifier(name), key]));
