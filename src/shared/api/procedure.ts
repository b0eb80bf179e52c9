import { z } from 'zod';

/** One call of the contract. A query changes nothing; a command may. */
export interface Procedure<
  Kind extends 'query' | 'command' = 'query' | 'command',
  InputSchema extends z.ZodType = z.ZodType,
  OutputSchema extends z.ZodType = z.ZodType,
  ErrorSchema extends z.ZodType = z.ZodType,
> {
  readonly kind: Kind;
  readonly input: InputSchema;
  readonly output: OutputSchema;
  /** Closed union of the expected failures; `z.never()` when there is none. */
  readonly error: ErrorSchema;
}

/** Hands its argument back and fixes the types. */
export function procedure<
  const Kind extends 'query' | 'command',
  InputSchema extends z.ZodType,
  OutputSchema extends z.ZodType,
  ErrorSchema extends z.ZodType,
>(
  definition: Procedure<Kind, InputSchema, OutputSchema, ErrorSchema>,
): Procedure<Kind, InputSchema, OutputSchema, ErrorSchema> {
  return definition;
}

/** Schema of an expected failure: a literal code and its facts. */
export function failure<const Code extends string, Shape extends z.ZodRawShape>(code: Code, shape: Shape) {
  return z.strictObject({ code: z.literal(code), ...shape });
}
