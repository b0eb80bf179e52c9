import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationType, Verdict } from '#shared/model/vocabulary.ts';

import { isCreation, isDrop } from './precedence.ts';

/** A migration as far as a sentence names it. */
export type NamedMigration = Pick<Migration, 'type' | 'object' | 'element'>;

export interface VerdictReason {
  readonly migration: NamedMigration;
  readonly verdict: Verdict;
  /** As it was recorded: a word of the engine, or a sentence already. */
  readonly code: string;
  /** The migration that the reason names; null when it names none, or one that is no longer kept. */
  readonly by: NamedMigration | null;
}

/** `create table orders`, `add column orders.tier`. */
function migrationWords({ type, object, element }: NamedMigration): string {
  const name = element === null || element === '' ? object : `${object}.${element}`;
  return `${type.replaceAll('_', ' ')} ${name}`;
}

/** Says in one sentence why a migration got its verdict. Names stand between backquotes. */
export function verdictSentence(reason: VerdictReason): string {
  switch (reason.verdict) {
    case 'executed':
      return executedSentence(reason);
    case 'alreadyApplied':
      return reason.by === null
        ? 'The catalog was in this state already.'
        : `It is one with \`${migrationWords(reason.by)}\`, which was here first.`;
    case 'superseded':
      return supersededSentence(reason);
    case 'convergedWithWarning':
      return WARNINGS.get(reason.code) ?? reason.code;
    case 'waitingForRows':
      return 'It checks rows: those that came with it go in first.';
    case 'conflict':
      return reason.code;
  }
}

function executedSentence({ migration, code }: VerdictReason): string {
  if (code === 'afterRows') return 'It checks rows, so it ran after those that came with it.';
  if (code === 'afterTable') return 'It came before what it is on was here, and was made when that came.';
  if (code === 'written here') return 'It was written here.';
  return code === '' ? EXECUTED[migration.type](`\`${migration.object}\``) : code;
}

const made = (object: string): string => `There was no ${object} here, so it was made.`;
const dropped = (object: string): string => `${object} was here, so it was dropped.`;
const altered = (object: string): string => `${object} was defined otherwise here, so it was altered.`;
const renamed = (): string => 'It was here under another name, so it was renamed.';

const EXECUTED: Readonly<Record<MigrationType, (object: string) => string>> = {
  create_table: made,
  drop_table: dropped,
  rename_table: renamed,
  add_column: (object) => `${object} had no such column here, so it was added.`,
  drop_column: (object) => `${object} had the column here, so it was dropped.`,
  rename_column: renamed,
  alter_column: altered,
  alter_primary_key: (object) => `${object} had another key here, so it was altered.`,
  add_constraint: (object) => `${object} had no such constraint here, so it was added.`,
  drop_constraint: (object) => `${object} had the constraint here, so it was dropped.`,
  rename_constraint: renamed,
  create_index: made,
  drop_index: dropped,
  create_view: made,
  drop_view: dropped,
  create_trigger: made,
  drop_trigger: dropped,
  redefine_table: (object) =>
    `${object} had another shape here, so the decision changed it; its rows stayed.`,
};

function supersededSentence({ migration, by }: VerdictReason): string {
  if (by === null) return 'Something that is recorded here goes before it.';
  const winner = `\`${migrationWords(by)}\``;
  if (by.type === 'redefine_table') return `${winner}, a decision, has answered it.`;
  if (isDrop(by.type) && by.type !== migration.type)
    return `${winner} goes before it: what is dropped is not changed any more.`;
  if (isCreation(by.type)) return `It is about an older life than ${winner}, which is here now.`;
  return `${winner} was made later, and the later one holds.`;
}

/** By the words of `WarningReason`, and what admission adds to them. */
const WARNINGS: ReadonlyMap<string, string> = new Map([
  ['tableAbsent', 'Its table is not here, so there was nothing to do.'],
  ['columnAbsent', 'Its column is not here, so there was nothing to do.'],
  ['elementAbsent', 'What it changes is not here, so there was nothing to do.'],
  [
    'parked',
    'What it refers to is not here: it is parked, and comes into the file by itself when that is there.',
  ],
  ['sourceUnnamed', 'It does not say what it renames, so nothing was done.'],
  ['blankDdl', 'It came with neither structure nor text, so nothing was done.'],
]);
