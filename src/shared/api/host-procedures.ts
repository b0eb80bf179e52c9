import { z } from 'zod';

import { procedure } from './procedure.ts';

export const hostProcedures = {
  /** What answers here. */
  'host.info': procedure({
    kind: 'query',
    input: z.strictObject({}),
    output: z.strictObject({
      name: z.string(),
      version: z.string(),
      contractVersion: z.number().int(),
      kind: z.enum(['desktop', 'headless']),
      dataDir: z.string(),
      sqliteVersion: z.string(),
      nodeVersion: z.string(),
      platform: z.string(),
    }),
    error: z.never(),
  }),
};
