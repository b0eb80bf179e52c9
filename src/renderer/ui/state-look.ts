import {
  CalendarX,
  CircleCheck,
  CirclePause,
  ClockArrowDown,
  HeartCrack,
  Lock,
  OctagonX,
  Puzzle,
  Unplug,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

import { ReplicaState } from '#shared/model/vocabulary.ts';

/** How a state is drawn and said. Colour, icon and word always go together. */
export interface StateLook {
  readonly word: string;
  readonly letter: string;
  /** Carries the state's colour and tint as `--c` and `--t`. */
  readonly className: string;
  readonly icon: LucideIcon;
}

export const STATE_LOOK: Readonly<Record<ReplicaState, StateLook>> = {
  incompatible: { word: 'incompatible', letter: 'I', className: 'st-blocked', icon: Puzzle },
  damaged: { word: 'damaged', letter: 'X', className: 'st-blocked', icon: HeartCrack },
  tooOld: { word: 'too old', letter: 'O', className: 'st-tooold', icon: CalendarX },
  blocked: { word: 'blocked', letter: 'B', className: 'st-blocked', icon: OctagonX },
  unreachable: { word: 'unreachable', letter: 'U', className: 'st-unreachable', icon: Unplug },
  paused: { word: 'paused', letter: 'P', className: 'st-paused', icon: CirclePause },
  locked: { word: 'locked', letter: 'K', className: 'st-plain', icon: Lock },
  behind: { word: 'behind', letter: 'L', className: 'st-behind', icon: ClockArrowDown },
  inSync: { word: 'in sync', letter: 'S', className: 'st-sync', icon: CircleCheck },
};

/** Place in the order of severity, worst first; the vocabulary lists the states in that order. */
export function severityOf(state: ReplicaState): number {
  return ReplicaState.options.indexOf(state);
}

/** True where a person has to act; the other states mend themselves or were chosen. */
export function needsYou(state: ReplicaState): boolean {
  return state === 'incompatible' || state === 'damaged' || state === 'tooOld' || state === 'blocked';
}
