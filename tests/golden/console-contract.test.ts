import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { contract, CONTRACT_VERSION } from '#shared/api/contract.ts';
import { HostFailure, Push, Request, Response } from '#shared/api/envelope.ts';
import { sha256 } from '#main/platform/sha256.ts';
import { stableJson } from '../support/stable-json.ts';

const FINGERPRINTS = join(import.meta.dirname, 'console-fingerprints.json');

const describeShape = (schema: z.ZodType): string =>
  stableJson(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));

function fingerprint(): string {
  const envelope = [Request, Response, Push, HostFailure].map(describeShape);
  const calls = Object.entries(contract).map(
    ([name, { kind, input, output, error }]) =>
      `${name} ${kind} ${describeShape(input)} ${describeShape(output)} ${describeShape(error)}`,
  );
  return Buffer.from(sha256([...envelope, ...calls.sort()].join('\n'))).toString('hex');
}

// A page and a host of one version understand each other. When this is red, the contract has changed: raise
// CONTRACT_VERSION in src/shared/api/contract.ts where an older side could not follow, and write the fingerprint
// that is printed here into console-fingerprints.json beside the version.
test('the contract is the one that its version names', () => {
  const known = JSON.parse(readFileSync(FINGERPRINTS, 'utf8')) as Readonly<Record<string, string>>;
  expect({ [CONTRACT_VERSION]: fingerprint() }).toEqual({ [CONTRACT_VERSION]: known[String(CONTRACT_VERSION)] });
});
