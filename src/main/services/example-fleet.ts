import type { Result } from '#shared/result.ts';

/** The example: five replicas of a small chain of shops, made in a folder that people can look into. */
export interface ExampleFleet {
  readonly folder: string;
  readonly exists: () => boolean;
  /** Makes the files, off the main thread. Errors: it is there already, or the folder may not be written. */
  readonly make: () => Promise<Result<ExampleFiles, ExampleError>>;
}

export interface ExampleFiles {
  readonly replicas: readonly { readonly name: string; readonly group: string; readonly path: string }[];
  /** By name. */
  readonly links: readonly (readonly [string, string])[];
  readonly rows: number;
}

export type ExampleError =
  | { readonly code: 'example-exists'; readonly folder: string }
  | { readonly code: 'no-rights'; readonly path: string; readonly message: string };
