import type { Result } from '#shared/result.ts';
import type { ExampleError, ExampleFleet } from '../example/make-example-fleet.ts';

export interface ExampleTask {
  readonly folder: string;
}

export type ExampleAnswer = Result<ExampleFleet, ExampleError>;
