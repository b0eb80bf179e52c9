import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { decodeWireMessage, encodeWireMessage } from '#main/peers/wire-codec.ts';
import { wireMessage } from '#shared/wire/messages.ts';
import { PROTOCOL_VERSION } from '#shared/wire/protocol.ts';
import { stableJson } from '../support/stable-json.ts';
import { fullPage } from '../support/wire-builders.ts';

// A change of the wire without a new protocol version makes two programs that greet each other as equals and then
// misread each other. So what a version means is written down here. A red test asks for a higher PROTOCOL_VERSION
// and a new entry, never for a changed one.

const contract = stableJson(
  z.toJSONSchema(wireMessage, {
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'bigint') jsonSchema.type = 'integer';
    },
  }),
);

const golden = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8').trimEnd();

// Guards WIRE-001, as does the next.
test(`W01 the messages of protocol ${PROTOCOL_VERSION} are those that were agreed on`, () => {
  const fingerprints = JSON.parse(golden('wire-fingerprints.json')) as Readonly<Record<string, string>>;
  const found = createHash('sha256').update(contract).digest('base64url');
  expect({ [PROTOCOL_VERSION]: found }).toEqual({ [PROTOCOL_VERSION]: fingerprints[PROTOCOL_VERSION] });
});

test(`W01 the bytes of a page in protocol ${PROTOCOL_VERSION} are those that were agreed on`, () => {
  const bytes = Buffer.from(golden(`wire-page-${PROTOCOL_VERSION}.hex`).replaceAll('\n', ''), 'hex');
  expect(decodeWireMessage(bytes)).toEqual({ ok: true, value: fullPage() });
  const encoded = encodeWireMessage(fullPage());
  expect(encoded.ok && Buffer.from(encoded.value).toString('hex')).toBe(bytes.toString('hex'));
});
