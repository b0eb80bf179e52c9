import type { z } from 'zod';

import { err, ok } from '../result.ts';
import type { Result } from '../result.ts';
import { findGroupProblem } from './find-group-problem.ts';
import {
  errorMessage,
  headMessage,
  helloMessage,
  pageMessage,
  pullMessage,
  RESERVED_MESSAGE_TYPES,
} from './messages.ts';
import type { PageMessage, WireMessage } from './messages.ts';
import { inviteMessage, pulledMessage } from './pulled-message.ts';

export type WireMessageError =
  | {
      readonly code: 'unknown-message';
      /** The type that is not known, as it came. */
      readonly found: string;
      readonly message: string;
    }
  | {
      readonly code: 'bad-message';
      /** Where, such as `page.groups[0].migrations[2].type`. */
      readonly path: string;
      /** One sentence: the place, and the key or value that is wrong. */
      readonly message: string;
    };

type MessageType = WireMessage['type'];

const schemaByType = {
  hello: helloMessage,
  pull: pullMessage,
  page: pageMessage,
  head: headMessage,
  invite: inviteMessage,
  pulled: pulledMessage,
  error: errorMessage,
} satisfies Readonly<Record<MessageType, z.ZodType<WireMessage>>>;

/**
 * Turns decoded bytes of a peer into a message that the program may rely on.
 *
 * Strict: a key, a message type or a value of an enum that protocol 1 does not have is an error that names it (WIRE-002).
 * Integers of rows are taken as they are: that they have 64 bits is the codec's promise.
 *
 * Errors: `unknown-message`, `bad-message`.
 */
export function parseWireMessage(raw: unknown): Result<WireMessage, WireMessageError> {
  const type = typeOf(raw);
  if (!isMessageType(type)) return unknownMessage(type);
  const parsed = schemaByType[type].safeParse(raw);
  if (!parsed.success) return badShape(type, { raw, issues: parsed.error.issues });
  const message = parsed.data;
  return message.type === 'page' ? checkPage(message) : ok(message);
}

function checkPage(page: PageMessage): Result<PageMessage, WireMessageError> {
  for (const [at, group] of page.groups.entries()) {
    const problem = findGroupProblem(group);
    if (problem !== null) return badMessage(`page.groups[${at}].${problem.path}`, problem.why);
  }
  return ok(page);
}

const typeOf = (raw: unknown): unknown =>
  typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined;

const isMessageType = (type: unknown): type is MessageType =>
  typeof type === 'string' && Object.hasOwn(schemaByType, type);

function unknownMessage(type: unknown): Result<never, WireMessageError> {
  const found = typeof type === 'string' ? type : show(type);
  const message = RESERVED_MESSAGE_TYPES.includes(found)
    ? `A message of the type "${found}" came, which this protocol version keeps for later.`
    : `A message of an unknown type came: ${show(type)}.`;
  return err({ code: 'unknown-message', found, message });
}

type Issue = z.core.$ZodIssue;

function badShape(
  type: MessageType,
  { raw, issues }: { readonly raw: unknown; readonly issues: readonly Issue[] },
): Result<never, WireMessageError> {
  const issue = issues[0];
  if (issue === undefined) return badMessage(type, 'it has another shape');
  const value = issue.path.reduce<unknown>(memberOf, raw);
  return badMessage(renderPath([type, ...issue.path]), whyOf(issue, value));
}

function whyOf(issue: Issue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return `unknown key ${issue.keys.map(show).join(', ')}`;
  if (value === undefined) return 'it is missing';
  if (issue.code === 'invalid_value') return `unknown value ${show(value)}`;
  return `${issue.message}, found ${show(value)}`;
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
    : undefined;

const renderPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key, place) => (typeof key === 'number' ? `[${key}]` : `${place === 0 ? '' : '.'}${String(key)}`))
    .join('');

/** A value for people: short, on one line, and never a whole row. */
function show(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value);
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean')
    return value.toString();
  if (value === null) return 'nothing';
  return Array.isArray(value) ? 'a list' : typeof value;
}

const SHOWN_MAX = 60;

const badMessage = (path: string, why: string): Result<never, WireMessageError> =>
  err({ code: 'bad-message', path, message: `A message makes no sense at ${path}: ${why}.` });
