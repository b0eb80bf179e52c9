import type { PulledMessage } from '#shared/wire/pulled-message.ts';

/** The answer to an invitation that this side does not follow. */
export const NOT_PULLING: PulledMessage = {
  type: 'pulled',
  ended: 'refused',
  pages: 0,
  read: 0,
  admittedGroups: 0,
  factsApplied: 0,
  factsSuperseded: 0,
  factsHeld: 0,
  migrations: 0,
  blocked: null,
};
