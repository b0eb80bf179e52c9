import { createHash, timingSafeEqual } from 'node:crypto';

import { z } from 'zod';

import { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { Clock, Random } from '../engine/ports.ts';
import type { ConsoleDatabase } from '../store/console-database.ts';
import type { EventRecords } from './event-records.ts';

/** sync: facts and migrations of some sites. read: every query. operate: everything. */
export const TokenRole = z.enum(['sync', 'read', 'operate']);
export type TokenRole = z.infer<typeof TokenRole>;

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: TokenRole;
  /** Null: all sites of the host. */
  readonly sites: readonly SiteId[] | null;
  readonly createdMs: number;
  /** Null: never. */
  readonly expiresMs: number | null;
  readonly withdrawnMs: number | null;
}

export interface NewToken {
  readonly name: string;
  readonly role: TokenRole;
  readonly sites: readonly SiteId[] | null;
  readonly expiresMs: number | null;
}

export interface Tokens {
  /** `secret` is told this once; only its hash is kept. */
  readonly create: (wish: NewToken) => { readonly token: Token; readonly secret: string };
  readonly list: () => readonly Token[];
  /** False when no token in force has this id or, where it is unmistakable, this name. */
  readonly withdraw: (idOrName: string) => boolean;
  /** The token of a secret, when it is in force now. */
  readonly verify: (secret: string) => Result<Token, { readonly code: 'token-refused' }>;
  /** Whether it is in force at this moment: neither withdrawn nor expired. */
  readonly isInForce: (id: string) => boolean;
}

const ID_BYTES = 9;
const SECRET_BYTES = 32;
const TOKEN_CHARS_MAX = 200;

/** Tokens of a shorter life are those that the command line makes for one command: nobody wants to read of them. */
const LASTING_MS = 60 * 60_000;

const TokenRow = z
  .object({
    id: z.string(),
    name: z.string(),
    sha256: z.string(),
    role: TokenRole,
    sites: z.string().nullable(),
    created_ms: z.number(),
    expires_ms: z.number().nullable(),
    withdrawn_ms: z.number().nullable(),
  })
  .transform(({ sites, created_ms, expires_ms, withdrawn_ms, ...rest }) => ({
    ...rest,
    sites: sites === null ? null : z.array(SiteId).parse(JSON.parse(sites)),
    createdMs: created_ms,
    expiresMs: expires_ms,
    withdrawnMs: withdrawn_ms,
  }));

const COLUMNS = 'id, name, sha256, role, sites, created_ms, expires_ms, withdrawn_ms';

/**
 * The tokens of a host, in the console's database (HOST-002). A running host sees at once what the command line changes there.
 *
 * A secret reads `<id>.<43 characters>`: the id finds the row, the hash of the whole is compared in constant time.
 */
export function createTokens(deps: {
  readonly db: ConsoleDatabase;
  readonly events: EventRecords;
  readonly clock: Clock;
  readonly random: Random;
}): Tokens {
  const { db, clock, random } = deps;
  const drawText = (bytes: number): string => Buffer.from(random.bytes(bytes)).toString('base64url');

  return {
    create: ({ name, role, sites, expiresMs }) => {
      const id = drawText(ID_BYTES);
      const secret = `${id}.${drawText(SECRET_BYTES)}`;
      const token: Token = { id, name, role, sites, createdMs: clock.nowMs(), expiresMs, withdrawnMs: null };
      db.run(`insert into token (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?)`, [
        id,
        name,
        digest(secret).toString('hex'),
        role,
        sites === null ? null : JSON.stringify(sites),
        token.createdMs,
        expiresMs,
        null,
      ]);
      note('tokenCreated', token);
      return { token, secret };
    },
    list,
    withdraw: (idOrName) => {
      const token = findInForce(idOrName);
      if (token === null) return false;
      db.run('update token set withdrawn_ms = ? where id = ?', [clock.nowMs(), token.id]);
      note('tokenWithdrawn', token);
      return true;
    },
    verify: (secret) => {
      const id = secret.length <= TOKEN_CHARS_MAX ? secret.slice(0, Math.max(0, secret.indexOf('.'))) : '';
      const row = read(id);
      // Hash and comparison run for an unknown id as well, so that time tells nothing about ids.
      const matches = timingSafeEqual(digest(secret), Buffer.from(row?.sha256 ?? NO_DIGEST, 'hex'));
      if (row === undefined || !matches || !inForce(row)) return err({ code: 'token-refused' });
      return ok(toToken(row));
    },
    isInForce: (id) => {
      const row = read(id);
      return row !== undefined && inForce(row);
    },
  };

  function list(): readonly Token[] {
    const rows = db.all(`select ${COLUMNS} from token order by created_ms, id`);
    return rows.map((row) => toToken(TokenRow.parse(row)));
  }

  function findInForce(idOrName: string): Token | null {
    const tokens = list().filter((token) => token.withdrawnMs === null);
    const byName = tokens.filter((token) => token.name === idOrName);
    return (
      tokens.find((token) => token.id === idOrName) ?? (byName.length === 1 ? (byName[0] ?? null) : null)
    );
  }

  function note(kind: 'tokenCreated' | 'tokenWithdrawn', { name, role, createdMs, expiresMs }: Token): void {
    if (expiresMs !== null && expiresMs - createdMs < LASTING_MS) return;
    deps.events.add({ atMs: clock.nowMs(), kind, ref: null, name: null, facts: { token: name, role } });
  }

  function read(id: string): z.infer<typeof TokenRow> | undefined {
    const row = db.all(`select ${COLUMNS} from token where id = ?`, [id])[0];
    return row === undefined ? undefined : TokenRow.parse(row);
  }

  function inForce(row: { readonly expiresMs: number | null; readonly withdrawnMs: number | null }): boolean {
    return row.withdrawnMs === null && (row.expiresMs === null || clock.nowMs() < row.expiresMs);
  }
}

const NO_DIGEST = '0'.repeat(64);

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

function toToken({ sha256: _sha256, ...token }: z.infer<typeof TokenRow>): Token {
  return token;
}
