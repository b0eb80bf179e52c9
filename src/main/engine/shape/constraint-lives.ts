import { isSameName } from '../../sql/fold-identifier.ts';
import { identityOfConstraint } from '../../sql/constraint-identity.ts';
import { renameInConstraint } from '../../sql/rename-in-definition.ts';
import type { TableDefinition } from '../../sql/ast.ts';
import { knewOf } from '../migration/knew-of.ts';
import {
  constraintsOfColumn,
  constraintsOfTable,
  keyOf,
  sourceOfConstraint,
  type ConstraintSource,
} from './constraint-source.ts';
import { contextOf } from './names-here.ts';
import type { Alteration, ShapeHistory } from './read-history.ts';
import type { ColumnKey, ShapeRecord } from './shape-record.ts';

// Constraints have no IDs: they are known by their names, and those without one by what they say. What a rename or a drop
// is about is the constraint that had the name where it was written, as far as its author knew.

/** One constraint for as long as it is one. */
export interface ConstraintLife {
  /** What makes it, the lowest stamp first: twins say it more than once. */
  readonly sources: readonly [ConstraintSource, ...ConstraintSource[]];
  /** The lowest stamp first. */
  readonly renames: readonly { readonly record: ShapeRecord; readonly newName: string }[];
  readonly drops: readonly ShapeRecord[];
}

interface GrowingLife {
  readonly sources: [ConstraintSource, ...ConstraintSource[]];
  readonly renames: { readonly record: ShapeRecord; readonly newName: string }[];
  readonly drops: ShapeRecord[];
}

/** Follows every constraint of a table through its history. */
export function constraintLives(history: ShapeHistory): readonly ConstraintLife[] {
  const { base, twins, alterations, isDecided } = history;
  const lives: GrowingLife[] = [];
  const isEqual = createComparison(history);
  for (const source of constraintsOfTable(base.record, base.table)) begin(lives, source);
  for (const twin of twins) join(lives, constraintsOfTable(twin.record, twin.table), isEqual);
  const context: Context = {
    isEqual,
    // What a decision has in its shape is as the decision says.
    settled: isDecided ? keysOf(base.record, base.table) : new Set(),
    // A decision stands where the table's creation stood: who wrote about the table knew of it in that sense.
    isKnown: (author, stamped) =>
      (isDecided && stamped === base.record) || stamped === author || knewOf(author, stamped.stamp),
  };
  for (const alteration of alterations) follow(lives, alteration, context);
  return lives;
}

interface Context {
  readonly isEqual: IsEqualSource;
  /** Columns whose adds say nothing any more. */
  readonly settled: ReadonlySet<ColumnKey>;
  readonly isKnown: IsKnown;
}

function follow(lives: GrowingLife[], { record, table, action }: Alteration, context: Context): void {
  const { isEqual, settled, isKnown } = context;
  switch (action.kind) {
    case 'addColumn':
      if (!settled.has(keyOf(record, action.column.name)))
        join(lives, constraintsOfColumn({ record, table }, action.column), isEqual);
      return;
    case 'addConstraint':
      addConstraint(lives, sourceOfConstraint({ record, table }, action.constraint), context);
      return;
    case 'renameConstraint': {
      const { name, newName } = action;
      findByName(lives, { record, name }, isKnown)?.renames.push({ record, newName });
      return;
    }
    case 'dropConstraint':
      findByName(lives, { record, name: action.name }, isKnown)?.drops.push(record);
      return;
    case 'dropUnnamedConstraint':
      findUnnamed(lives, sourceOfConstraint({ record, table }, action.constraint), context)?.drops.push(
        record,
      );
      return;
    default:
  }
}

function begin(lives: GrowingLife[], source: ConstraintSource): void {
  lives.push({ sources: [source], renames: [], drops: [] });
}

/** Two sources say the same of the same columns. */
type IsEqualSource = (left: ConstraintSource, right: ConstraintSource) => boolean;

/**
 * Lets what a twin says join what its twins said: of the same name, or else equal. The rest begins lives of its own.
 */
function join(lives: GrowingLife[], sources: readonly ConstraintSource[], isEqual: IsEqualSource): void {
  for (const source of sources) {
    const open = lives.filter(
      (life) => isOfTwin(life, source) && life.sources.every(({ record }) => record !== source.record),
    );
    const home =
      open.find((life) => life.sources.some((other) => isSameConstraintName(other.name, source.name))) ??
      open.find((life) => life.sources.some((other) => isEqual(other, source)));
    if (home === undefined) begin(lives, source);
    else home.sources.push(source);
  }
}

/** Whether a life was begun by a statement of which the source's statement is a twin: about the same column, or the table. */
const isOfTwin = ({ sources: [first] }: GrowingLife, { column, body }: ConstraintSource): boolean =>
  first.column === column && kindOf(first.body) === kindOf(body);

const kindOf = (body: ConstraintSource['body']): string => (typeof body === 'string' ? body : body.kind);

/**
 * Adds of one name, or of none and equal, that did not know of each other are one constraint. Who knew that it was dropped,
 * or has another name by now, makes another.
 */
function addConstraint(
  lives: GrowingLife[],
  source: ConstraintSource,
  { isEqual, isKnown }: Pick<Context, 'isEqual' | 'isKnown'>,
): void {
  const { name, record } = source;
  const isOver = ({ drops, renames }: GrowingLife): boolean =>
    [...drops, ...renames.map((rename) => rename.record)].some((later) => isKnown(record, later));
  const isTwin = (other: ConstraintSource): boolean =>
    name === undefined && other.name === undefined
      ? other.record.type === 'add_constraint' && isEqual(other, source)
      : isSameConstraintName(other.name, name);
  const home = lives.find(
    (life) =>
      !isOver(life) && life.sources.every((other) => isTwin(other) && !knewOf(record, other.record.stamp)),
  );
  if (home === undefined) begin(lives, source);
  else home.sources.push(source);
}

const isSameConstraintName = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && isSameName(left, right);

type IsKnown = (author: ShapeRecord, stamped: ShapeRecord) => boolean;

/** The constraint that had a name where a record was written. */
function findByName(
  lives: readonly GrowingLife[],
  { record, name }: { readonly record: ShapeRecord; readonly name: string },
  isKnown: IsKnown,
): GrowingLife | undefined {
  return lives.findLast((life) => {
    if (life.drops.some((drop) => isKnown(record, drop))) return false;
    const renamed = life.renames.findLast((rename) => isKnown(record, rename.record));
    const names = life.sources
      .filter((source) => isKnown(record, source.record))
      .map((source) => source.name);
    if (names.length === 0) return false;
    return renamed === undefined
      ? names.some((known) => isSameConstraintName(known, name))
      : isSameName(renamed.newName, name);
  });
}

/** The constraint without a name that says what the source says, as far as the source's author knew. */
function findUnnamed(
  lives: readonly GrowingLife[],
  source: ConstraintSource,
  { isEqual, isKnown }: Pick<Context, 'isEqual' | 'isKnown'>,
): GrowingLife | undefined {
  const { record } = source;
  return lives.find(
    ({ sources, drops }) =>
      !drops.some((drop) => isKnown(record, drop)) &&
      sources.some(
        (other) =>
          other.name === undefined &&
          typeof other.body !== 'string' &&
          isKnown(record, other.record) &&
          isEqual(other, source),
      ),
  );
}

const keysOf = (record: ShapeRecord, { columns }: TableDefinition): ReadonlySet<ColumnKey> =>
  new Set(columns.map(({ name }) => keyOf(record, name)));

/** Compares sources by what they say, with a name for every column that is the same in all of them. */
function createComparison({ base, twins, alterations }: ShapeHistory): IsEqualSource {
  const records = [base, ...twins, ...alterations].map(({ record }) => record);
  const keys = [...new Set(records.flatMap(({ columnIds }) => [...columnIds.values()]))];
  const names = { table: 't', columns: new Map(keys.map((key, at) => [key, `column ${String(at)}`])) };
  const texts = new Map<ConstraintSource, string>();
  const textOf = (source: ConstraintSource): string => {
    const known = texts.get(source);
    if (known !== undefined) return known;
    const { body } = source;
    const text =
      typeof body === 'string'
        ? body
        : identityOfConstraint(renameInConstraint(body, contextOf(source, names)), BARE_TABLE);
    texts.set(source, text);
    return text;
  };
  return (left, right) => textOf(left) === textOf(right);
}

const BARE_TABLE: TableDefinition = {
  name: 't',
  columns: [],
  constraints: [],
  strict: false,
  withoutRowid: false,
};
