import type {
  AddColumnFacts,
  AddConstraintFacts,
  AlterColumnFacts,
  CatalogFacts,
  ColumnStanding,
  CreateIndexFacts,
  CreateTableFacts,
  CreateViewOrTriggerFacts,
  DropFacts,
  RenameFacts,
  ReshapeFacts,
} from './catalog-facts.ts';
import { ALREADY_APPLIED, RUN, warn } from './catalog-verdict.ts';
import type { CatalogVerdict, DefinitionConflict } from './catalog-verdict.ts';

export interface AdmissionPlace {
  /**
   * Whether the rows of the unit are still to come, and every later migration of the object in the unit waits for them
   * too. Then what checks rows waits as well.
   */
  readonly mayWait: boolean;
  /** Of two adds of one column with different types: whether the later one simply holds (a setting). */
  readonly laterTypeHolds: boolean;
}

/**
 * Gate 2: is the catalog already in the state that the migration wants? Asked of what `gateRecorded` lets through.
 *
 * One rule per row of the verdict table in docs/ARCHITECTURE.md. Reads nothing but the facts.
 */
export function gateCatalog(facts: CatalogFacts, place: AdmissionPlace): CatalogVerdict {
  // The gate under a type takes the facts of that type, which the compiler cannot see of a union.
  const gate = gates[facts.type] as Gate<CatalogFacts>;
  return gate(facts, place);
}

/** The member of the union that holds facts of one type. */
type FactsOf<Type extends CatalogFacts['type'], Facts = CatalogFacts> = Facts extends {
  readonly type: infer Own;
}
  ? Type extends Own
    ? Facts
    : never
  : never;

type Gate<Facts> = (facts: Facts, place: AdmissionPlace) => CatalogVerdict;

function createTable({ object, standing, remote }: CreateTableFacts): CatalogVerdict {
  if (standing.kind === 'absent') return RUN;
  if (standing.kind === 'otherObject') return nameTaken(object, standing.object, 'table');
  return standing.isEqual ? ALREADY_APPLIED : divergent(object, standing.local, remote);
}

function createIndex(facts: CreateIndexFacts, place: AdmissionPlace): CatalogVerdict {
  const { object, standing, remote, missing, isUnique } = facts;
  if (standing.kind === 'otherObject') return nameTaken(object, standing.object, 'index');
  if (standing.kind === 'sameObject') {
    return standing.isEqual ? ALREADY_APPLIED : divergent(object, standing.local, remote);
  }
  if (missing !== null) return warn(absenceOf(missing));
  return run(isUnique, place);
}

function createViewOrTrigger(facts: CreateViewOrTriggerFacts): CatalogVerdict {
  const { type, object, standing, isParked } = facts;
  if (standing.kind === 'otherObject') {
    return nameTaken(object, standing.object, type === 'create_view' ? 'view' : 'trigger');
  }
  if (standing.kind === 'sameObject' && standing.isEqual) return ALREADY_APPLIED;
  if (isParked) return warn('parked');
  return standing.kind === 'absent' ? RUN : { verdict: 'execute', step: { kind: 'replace' } };
}

function rename({ object, element, newName, isRenamed, occupant, isByName }: RenameFacts): CatalogVerdict {
  if (element.kind === 'unnamed') return warn('sourceUnnamed');
  if (element.kind === 'absent')
    return isByName && occupant !== null ? ALREADY_APPLIED : warn('elementAbsent');
  if (isRenamed) return ALREADY_APPLIED;
  if (occupant === null) return RUN;
  return conflict('nameCollision', object, { left: occupant, right: `${element.name} as ${newName}` });
}

function addColumn(facts: AddColumnFacts, place: AdmissionPlace): CatalogVerdict {
  const { object, column, isTablePresent, standing } = facts;
  if (!isTablePresent) return warn('tableAbsent');
  switch (standing.kind) {
    case 'absent':
      return RUN;
    case 'movedHere':
      return { ...conflict('nameCollision', object, { left: column, right: column }), column };
    case 'present':
      return addPresentColumn(facts, standing, place);
  }
}

function addPresentColumn(
  { object, column }: AddColumnFacts,
  standing: Extract<ColumnStanding, { kind: 'present' }>,
  place: AdmissionPlace,
): CatalogVerdict {
  const { hasSameLogicalType, laterRegisters, localType, remoteType } = standing;
  if (hasSameLogicalType) return adopt(laterRegisters);
  if (!place.laterTypeHolds) {
    return { ...conflict('columnType', object, { left: localType, right: remoteType }), column };
  }
  if (!standing.isLater) return { verdict: 'superseded', by: standing.typedBy };
  return adopt(['dataType', ...laterRegisters.filter((register) => register !== 'dataType')]);
}

const drop = ({ isPresent }: DropFacts): CatalogVerdict => (isPresent ? RUN : ALREADY_APPLIED);

const gates: { readonly [Type in CatalogFacts['type']]: Gate<FactsOf<Type>> } = {
  create_table: createTable,
  create_index: createIndex,
  create_view: createViewOrTrigger,
  create_trigger: createViewOrTrigger,
  drop_table: drop,
  drop_column: drop,
  drop_constraint: drop,
  drop_index: drop,
  drop_view: drop,
  drop_trigger: drop,
  rename_table: rename,
  rename_column: rename,
  rename_constraint: rename,
  add_column: addColumn,
  add_constraint: addConstraint,
  alter_column: alterColumn,
  alter_primary_key: reshape,
  redefine_table: reshape,
};

const adopt = (registers: Extract<ColumnStanding, { kind: 'present' }>['laterRegisters']): CatalogVerdict =>
  registers.length === 0 ? ALREADY_APPLIED : { verdict: 'execute', step: { kind: 'adopt', registers } };

function addConstraint(
  { isTablePresent, isPresent }: AddConstraintFacts,
  place: AdmissionPlace,
): CatalogVerdict {
  if (!isTablePresent) return warn('tableAbsent');
  return isPresent ? ALREADY_APPLIED : run(true, place);
}

function alterColumn(
  { missing, isEqual, validatesRows }: AlterColumnFacts,
  place: AdmissionPlace,
): CatalogVerdict {
  if (missing !== null) return warn(absenceOf(missing));
  return isEqual ? ALREADY_APPLIED : run(validatesRows, place);
}

function reshape(
  { isTablePresent, isEqual, validatesRows }: ReshapeFacts,
  place: AdmissionPlace,
): CatalogVerdict {
  if (!isTablePresent) return warn('tableAbsent');
  return isEqual ? ALREADY_APPLIED : run(validatesRows, place);
}

const run = (validatesRows: boolean, { mayWait }: AdmissionPlace): CatalogVerdict =>
  validatesRows && mayWait ? { verdict: 'waitForRows' } : RUN;

const absenceOf = (missing: 'table' | 'column') => (missing === 'table' ? 'tableAbsent' : 'columnAbsent');

const divergent = (object: string, left: string, right: string): DefinitionConflict =>
  conflict('divergentDefinition', object, { left, right });

const nameTaken = (object: string, by: string, wanted: string): DefinitionConflict =>
  conflict('nameCollision', object, { left: `${by} ${object}`, right: `${wanted} ${object}` });

const conflict = (
  cause: DefinitionConflict['cause'],
  object: string,
  sides: { readonly left: string; readonly right: string },
): DefinitionConflict => ({ verdict: 'conflict', cause, object, column: null, ...sides });
