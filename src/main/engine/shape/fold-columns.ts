import type { AlterAction, ColumnDefinition, NotNullClause, SqlText } from '../../sql/ast.ts';
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
  /** What rows that are there already get. */
  readonly added: SqlText | undefined;
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
    made.set(keyOf(record, definition.name), [
      { record, table: table.name, definition, added: addedIn(record, definition) },
    ]);
  const ofBase = new Set(made.keys());
  for (const added of ofKind(alterations, 'addColumn')) {
    const definition = added.action.column;
    const key = added.record.subject ?? keyOf(added.record, definition.name);
    // What a decision has in its shape is as the decision says.
    if (isDecided && ofBase.has(key)) continue;
    const source = {
      record: added.record,
      table: added.table,
      definition,
      added: definition.defaultText,
    };
    made.set(key, [...(made.get(key) ?? []), source] as readonly ColumnSource[] as Sources);
  }
  return made;
}

/** A decision says what columns were added with before it. */
function addedIn({ added }: ShapeRecord, { name, defaultText }: ColumnDefinition): SqlText | undefined {
  const said = added?.get(foldIdentifier(name));
  return said === undefined ? defaultText : (said ?? undefined);
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

function foldColumn(context: ColumnHistory, key: ColumnKey, sources: Sources): ColumnLife {
  const own = context.history.alterations.filter(({ record }) => record.subject === key);
  const [first] = sources;
  const latest = sources.at(-1) ?? first;
  const { definition } = latest;
  const name = registerOf(ofKind(own, 'renameColumn').at(-1), first);
  const dataType = registerOf(ofKind(own, 'setDataType').at(-1), latest);
  const byDefault = registerOf(own.findLast(isAboutDefault), latest);
  const collation = registerOf(ofKind(own, 'setCollation').at(-1), latest);
  const notNull = foldNotNull(context, { key, latest, altered: own.findLast(isAboutNotNull) });
  return {
    key,
    sources,
    name: name.action?.newName ?? first.definition.name,
    named: name.holder,
    holders: {
      dataType: dataType.holder,
      notNull: notNull.holder,
      default: byDefault.holder,
      collation: collation.holder,
    },
    values: {
      type: dataType.action?.type ?? definition.type,
      notNull: notNull.clause,
      defaultText: defaultOf(byDefault.action, definition),
      collation: collation.action?.collation ?? definition.collation,
    },
  };
}

/** What holds a register: the latest alteration of it, else what made the column. */
const registerOf = <Action extends AlterAction>(
  altered: Alteration<Action> | undefined,
  made: ColumnSource,
): { readonly holder: ShapeRecord; readonly action: Action | undefined } => ({
  holder: altered?.record ?? made.record,
  action: altered?.action,
});

type ActionOf<Kind extends AlterAction['kind']> = Extract<AlterAction, { readonly kind: Kind }>;
type DefaultAction = ActionOf<'setDefault' | 'dropDefault'>;
type NotNullAction = ActionOf<'setNotNull' | 'dropNotNull'>;

const isAboutDefault = (one: Alteration): one is Alteration<DefaultAction> =>
  one.action.kind === 'setDefault' || one.action.kind === 'dropDefault';

const isAboutNotNull = (one: Alteration): one is Alteration<NotNullAction> =>
  one.action.kind === 'setNotNull' || one.action.kind === 'dropNotNull';

function defaultOf(
  action: DefaultAction | undefined,
  { defaultText, generated }: ColumnDefinition,
): string | undefined {
  if (generated !== undefined) return undefined;
  if (action === undefined) return defaultText;
  return action.kind === 'setDefault' ? action.defaultText : undefined;
}

/** NOT NULL can also be dropped as a constraint, by its name. */
function foldNotNull(
  { history, constraints }: ColumnHistory,
  column: {
    readonly key: ColumnKey;
    readonly latest: ColumnSource;
    readonly altered: Alteration<NotNullAction> | undefined;
  },
): { readonly holder: ShapeRecord; readonly clause: NotNullClause | undefined } {
  const { latest, altered } = column;
  const named = constraints.find(
    ({ sources: [source] }) => source.body === 'notNull' && source.column === column.key,
  );
  const dropped = named?.drops.at(-1);
  if (dropped !== undefined && (altered === undefined || isBefore(history, altered.record, dropped)))
    return { holder: dropped, clause: undefined };
  const { holder, action } = registerOf(altered, latest);
  const clause = action === undefined ? latest.definition.notNull : clauseOf(action);
  const name = named === undefined || dropped !== undefined ? undefined : nameOf(named);
  return {
    holder,
    clause: clause === undefined ? undefined : { ...clause, name },
  };
}

const clauseOf = (action: NotNullAction): NotNullClause | undefined =>
  action.kind === 'setNotNull' ? { conflict: action.conflict } : undefined;

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
