import type { Stamp } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';

/**
 * How destructive each type of migration is: DROP TABLE > DROP COLUMN and its like > ALTER > ADD > CREATE.
 *
 * The gaps are as written in the bookkeeping (`_concord_element.level`): never renumber.
 */
export const PRECEDENCE: Readonly<Record<MigrationType, number>> = {
  drop_table: 50,
  drop_column: 40,
  drop_constraint: 40,
  drop_index: 40,
  drop_view: 40,
  drop_trigger: 40,
  rename_table: 30,
  rename_column: 30,
  rename_constraint: 30,
  alter_column: 30,
  alter_primary_key: 30,
  redefine_table: 30,
  add_column: 20,
  add_constraint: 20,
  create_table: 10,
  create_index: 10,
  create_view: 10,
  create_trigger: 10,
};

export interface Ranked {
  readonly type: MigrationType;
  readonly stamp: Stamp;
}

/**
 * Orders two migrations of one element and one life that did not know of each other: the greater one holds.
 *
 * The more destructive wins; within a level the later stamp. Positive when `left` wins. Zero only for equal stamps.
 * Where one knew of the other there is nothing to settle: the later one was meant. See `areConcurrent`.
 */
export function comparePrecedence(left: Ranked, right: Ranked): number {
  const byLevel = PRECEDENCE[left.type] - PRECEDENCE[right.type];
  return byLevel === 0 ? compareStamps(left.stamp, right.stamp) : byLevel;
}

/** Whether a type of migration brings its element into being. */
export const isCreation = (type: MigrationType): boolean => PRECEDENCE[type] <= PRECEDENCE.add_column;

/** Whether a type of migration ends its element's life. */
export const isDrop = (type: MigrationType): boolean => PRECEDENCE[type] >= PRECEDENCE.drop_column;
