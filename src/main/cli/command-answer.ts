import { err, ok, type Result } from '#shared/result.ts';

/** 0: done. 1: it says no. 2: not understood. */
export type ExitStatus = 0 | 1 | 2;

/** What a command has to say at the end. */
export interface CommandAnswer {
  readonly status: ExitStatus;
  /** For `--json`: one document. */
  readonly json: unknown;
  /** For people; ends without a line break. Empty: nothing to say. */
  readonly text: string;
}

/** Why a command did not do what it was asked: one sentence with the next step. */
export interface CommandFailure {
  readonly code: string;
  readonly message: string;
  readonly status: 1 | 2;
}

export type CommandResult = Result<CommandAnswer, CommandFailure>;

/** The answer of a command that did what it was asked. */
export function done(json: unknown, text: string): CommandResult {
  return ok({ status: 0, json, text });
}

/** The answer of a command that looked and found that something is not as it should be. */
export function saysNo(json: unknown, text: string): CommandResult {
  return ok({ status: 1, json, text });
}

/** A failure of what was understood. */
export function refuse(
  code: string,
  message: string,
): { readonly ok: false; readonly error: CommandFailure } {
  return err({ code, message, status: 1 });
}

/** An argument that makes no sense. */
export function notUnderstood(message: string): { readonly ok: false; readonly error: CommandFailure } {
  return err({ code: 'not-understood', message, status: 2 });
}
