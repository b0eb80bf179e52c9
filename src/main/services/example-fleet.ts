import { existsSync } from 'node:fs';

import { err, type Result } from '#shared/result.ts';
import type { ExampleError, ExampleFleet as ExampleFiles } from '../example/make-example-fleet.ts';

/** The example: five replicas of a small chain of shops, made in a folder that people can look into. */
export interface ExampleFleet {
  readonly folder: string;
  readonly exists: () => boolean;
  /** Makes the files. Errors: it is there already, or the folder may not be written. Twice at once is once. */
  readonly make: () => Promise<Result<ExampleFiles, ExampleError>>;
}

/** The example in one folder. `run` makes it, off the main thread. */
export function createExampleFleet(
  folder: string,
  run: (folder: string) => Promise<Result<ExampleFiles, ExampleError>>,
): ExampleFleet {
  let isMaking = false;

  return {
    folder,
    exists: () => existsSync(folder),
    make: async () => {
      if (isMaking) return err({ code: 'example-exists', folder });
      isMaking = true;
      try {
        return await run(folder);
      } finally {
        isMaking = false;
      }
    },
  };
}
