import { compareStamps } from '#shared/model/hlc.ts';

import type { AlterAction, TableDefinition } from '../../sql/ast.ts';
import { knewOf } from '../migration/knew-of.ts';
import type { ShapeRecord } from './shape-record.ts';

/** A record that carries a whole definition. */
export interface TableSource {
  readonly record: ShapeRecord;
  readonly table: TableDefinition;
}

/** A record that carries an alteration. */
export interface Alteration<Action extends AlterAction = AlterAction> {
  readonly record: ShapeRecord;
  /** The table's name at the author. */
  readonly table: string;
  readonly action: Action;
}

export interface ShapeHistory {
  /** The latest decision about the shape, else the creation with the lowest stamp. */
  readonly base: TableSource;
  readonly isDecided: boolean;
  /** The other creations that are one with the base: none beside a decision, which speaks for all of them. */
  readonly twins: readonly TableSource[];
  /** What the base does not speak of, the lowest stamp first. */
  readonly alterations: readonly Alteration[];
}

/**
 * Sorts what is recorded for a table, each record once. Null where nothing makes the table, or something drops it.
 *
 * A decision about the shape answers what it knew of, and the creations that it chose between: they are left out.
 */
export function readHistory(records: readonly ShapeRecord[]): ShapeHistory | null {
  const inOrder = sortOnce(records);
  if (inOrder.some(({ type }) => type === 'drop_table')) return null;
  const made = inOrder.flatMap(tableSourceOf);
  const decided = made.findLast(({ record }) => record.type === 'redefine_table');
  const base = decided ?? made[0];
  if (base === undefined) return null;
  return {
    base,
    isDecided: decided !== undefined,
    twins: decided === undefined ? made.filter((one) => one !== base) : [],
    alterations: inOrder
      .filter((record) => decided === undefined || !isAnsweredBy(decided.record, record))
      .flatMap(alterationOf),
  };
}

/** Whether a decision about a table's shape speaks of another change of it. */
export const isAnsweredBy = (
  decision: Pick<ShapeRecord, 'stamp' | 'knew' | 'unifies'>,
  record: Pick<ShapeRecord, 'id' | 'stamp'>,
): boolean => knewOf(decision, record.stamp) || decision.unifies.includes(record.id);

function sortOnce(records: readonly ShapeRecord[]): readonly ShapeRecord[] {
  const once = new Map(records.map((record) => [record.id, record]));
  return [...once.values()].sort(
    (left, right) => compareStamps(left.stamp, right.stamp) || (left.id < right.id ? -1 : 1),
  );
}

function tableSourceOf(record: ShapeRecord): readonly TableSource[] {
  const { type, statement } = record;
  if (type !== 'create_table' && type !== 'redefine_table') return [];
  return statement.kind === 'createTable' ? [{ record, table: statement.table }] : [];
}

function alterationOf(record: ShapeRecord): readonly Alteration[] {
  const { statement } = record;
  if (statement.kind !== 'alterTable') return [];
  return [{ record, table: statement.table, action: statement.action }];
}

/** Those of one kind. */
export const ofKind = <Kind extends AlterAction['kind']>(
  alterations: readonly Alteration[],
  kind: Kind,
): readonly Alteration<Extract<AlterAction, { readonly kind: Kind }>>[] =>
  alterations.filter(
    (one): one is Alteration<Extract<AlterAction, { readonly kind: Kind }>> => one.action.kind === kind,
  );
