import type { HeldSelection } from '#shared/model/held-decision.ts';
import { HeldReason } from '#shared/model/vocabulary.ts';
import { ok, type Result } from '#shared/result.ts';
import { notUnderstood, type CommandFailure } from './command-answer.ts';

/** Which held changes a command means. */
export interface SelectionOptions {
  readonly id?: readonly string[];
  readonly table?: string;
  readonly reason?: string;
}

/** The selection that was typed. Errors: a sentence about what is none. */
export function readSelection(options: SelectionOptions): Result<HeldSelection, CommandFailure> {
  const reason = HeldReason.optional().safeParse(options.reason);
  if (!reason.success) {
    return notUnderstood(`"${options.reason ?? ''}" is no reason: choose ${HeldReason.options.join(', ')}.`);
  }
  const ids = (options.id ?? []).map(Number);
  if (ids.some((id) => !Number.isSafeInteger(id) || id < 1))
    return notUnderstood('--id takes the numbers that `concord held REPLICA` shows.');
  return ok({
    ...(ids.length > 0 && { ids }),
    ...(options.table !== undefined && { table: options.table }),
    ...(reason.data !== undefined && { reason: reason.data }),
  });
}

/** Whether it says anything: nothing said means all. */
export const isSelective = (selection: HeldSelection): boolean => Object.keys(selection).length > 0;
