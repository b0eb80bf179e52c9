import type { ScenarioReplica, Step, StepAction } from '#main/scenario/scenario.ts';

// A story of the simulator: replicas, and steps of the scenario language as plain data.

/**
 * `line` of a step is its number in the story as it was told first, from 1: what a restore goes back to is found again
 * though steps between were left out.
 */
export interface Story {
  readonly seed: number;
  readonly replicas: readonly ScenarioReplica[];
  readonly steps: readonly Step[];
}

/** What is not as it must be. `kind` tells like from like while a story is shortened. */
export interface Fault {
  readonly kind: FaultKind;
  readonly text: string;
  /** What a scenario file expects in its last step to show the fault; null when the steps themselves fail. */
  readonly expects: StepAction | null;
}

export type FaultKind =
  | 'threw'
  | 'refused'
  | 'selfCheck'
  | 'integrity'
  | 'lost'
  | 'cameBack'
  | 'watermark'
  | 'stamp'
  | 'noRest'
  | 'stuck'
  | 'differ'
  | 'heldDiffer'
  | 'joined';

/** A step of the scenario language that no file has. */
export const step = (action: StepAction, more: Pick<Step, 'mayFail'> = {}): Step => ({
  ...action,
  ...more,
  line: 0,
});

/** Number of the step after which a file is kept that goes back to a step of the story as it was told first; 0 when none is left. */
export const restoredAfter = (steps: readonly Step[], fromStep: number): number =>
  Math.max(0, ...steps.map(({ line }) => line).filter((line) => line <= fromStep));
