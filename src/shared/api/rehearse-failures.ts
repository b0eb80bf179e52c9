import { z } from 'zod';

import { failure } from './procedure.ts';

const facts = { message: z.string() };

/** Why nothing was rehearsed; nothing has changed. */
export const RehearseFailures = [
  failure('no-schema-statement', facts),
  /** There is no place for a scratch copy. */
  failure('no-room', facts),
  failure('copy-failed', facts),
] as const;
