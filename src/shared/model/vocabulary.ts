import { z } from 'zod';

/** Kinds of migration, one per alteration of one element (engine.md, section 3). */
export const MigrationType = z.enum([
  'create_table',
  'drop_table',
  'rename_table',
  'add_column',
  'drop_column',
  'rename_column',
  'alter_column',
  'alter_primary_key',
  'add_constraint',
  'drop_constraint',
  'rename_constraint',
  'create_index',
  'drop_index',
  'create_view',
  'drop_view',
  'create_trigger',
  'drop_trigger',
  'redefine_table',
]);
export type MigrationType = z.infer<typeof MigrationType>;

/** What a receiver decided about one migration. `recorded` marks a replica's own. */
export const Verdict = z.enum([
  'executed',
  'alreadyApplied',
  'superseded',
  'convergedWithWarning',
  'conflict',
  'waitingForRows',
]);
export type Verdict = z.infer<typeof Verdict>;

/** Why an admission unit is refused. */
export const BlockCause = z.enum([
  'divergentDefinition',
  'columnType',
  'nameCollision',
  'rowsBreakConstraint',
  'clockAhead',
  'refusedStatement',
  'heldLimit',
  'storage',
  'tooOld',
  'epochChanged',
  'duplicateSite',
]);
export type BlockCause = z.infer<typeof BlockCause>;

/** Why a change is held. */
export const HeldReason = z.enum([
  'unknownTable',
  'unknownColumn',
  'droppedTable',
  'uniqueCollision',
  'notNull',
  /** SQLite refuses a value of it here: a STRICT column's type, or an expression that fails on it. */
  'refusedValue',
  'setAside',
]);
export type HeldReason = z.infer<typeof HeldReason>;

/** States of a replica, worst first: the order of severity everywhere. */
export const ReplicaState = z.enum([
  'incompatible',
  'damaged',
  'tooOld',
  'blocked',
  'unreachable',
  'paused',
  'locked',
  'behind',
  'inSync',
]);
export type ReplicaState = z.infer<typeof ReplicaState>;

/** Answers to a blocked batch. */
export const ResolutionOption = z.enum([
  'keepLocal',
  'takeRemote',
  'merge',
  'renameLocalAside',
  'setAside',
  'retry',
  'skip',
  /** A restored or copied file goes on as another replica. */
  'newSite',
]);
export type ResolutionOption = z.infer<typeof ResolutionOption>;

export const ObjectKind = z.enum(['table', 'index', 'view', 'trigger']);
export type ObjectKind = z.infer<typeof ObjectKind>;

export const FindingKind = z.enum([
  'foreignKey',
  'check',
  'unique',
  'notNull',
  'drift',
  'noPrimaryKey',
  'capture',
  /** A view or trigger that is out of the file until what it refers to is there. */
  'parked',
  /** A view or trigger that was broken when it was found: it stays where it is and does not replicate. */
  'broken',
  /** A trigger of the application that cannot run here. */
  'trigger',
  /** A virtual table: it does not replicate. */
  'localOnly',
]);
export type FindingKind = z.infer<typeof FindingKind>;
