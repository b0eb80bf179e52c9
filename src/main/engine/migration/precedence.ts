import type { Stamp } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';

/** How destructive each type of migration is: DROP TABLE > DROP COLUMN and its like > ALTER > ADD > CREATE. */
const PRECEDENCE: Readonly<Record<MigrationType, number>> = {
  drop_table: 5,
  drop_column: 4,
  drop_constraint: 4,
  drop_index: 4,
  drop_view: 4,
  drop_trigger: 4,
  rename_table: 3,
  rename_column: 3,
  rename_constraint: 3,
  alter_column: 3,
  alter_primary_key: 3,
  redefine_table: 3,
  add_column: 2,
  add_constraint: 2,
  create_table: 1,
  create_index: 1,
  create_view: 1,
  create_trigger: 1,
};

export interface Ranked {
  readonly type: MigrationType;
  readonly stamp: Stamp;
}

/**
 * Orders two migrations of one element and one life that did not know of each other: the greater one holds
 * (SCHEMA-002).
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
