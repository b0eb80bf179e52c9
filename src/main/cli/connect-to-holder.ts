import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { err, ok, type Result } from '#shared/result.ts';
import { openConsoleRecords } from '../console/open-console-records.ts';
import { connectWebSocket, type HostConnection } from '../rpc/connect-web-socket.ts';
import { refuse, type CommandFailure } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { connectSentence } from './error-sentence.ts';
import { readToken } from './read-token.ts';

/** Long enough for a resolution that travels over a whole fleet. */
const TOKEN_MS = 10 * 60_000;

export interface HolderConnection extends HostConnection {
  /** What opened the door; good until `close`. */
  readonly secret: string;
}

/**
 * Reaches the host that holds a replica, with the user's token.
 *
 * Without one, a host of this user's own data folder is reached with a token made for this one command there: who may
 * write that folder may operate its host.
 */
export async function connectToHolder(
  context: CommandContext,
  address: string,
): Promise<Result<HolderConnection, CommandFailure>> {
  const given = readToken(context);
  if (!given.ok) return given;
  const token =
    given.value === null ? makeToken(context) : { secret: given.value, withdraw: () => undefined };
  if (token === null)
    return refuse('no-token', `The host at ${address} holds it: give a token in CONCORD_TOKEN.`);
  const connected = await connectWebSocket({
    url: address,
    token: token.secret,
    onPush: () => undefined,
    onClosed: () => undefined,
  });
  if (!connected.ok) {
    token.withdraw();
    return err({ code: connected.error.code, message: connectSentence(address, connected.error), status: 1 });
  }
  const { client, close } = connected.value;
  return ok({
    client,
    secret: token.secret,
    close: () => {
      close();
      token.withdraw();
    },
  });
}

interface CommandToken {
  readonly secret: string;
  readonly withdraw: () => void;
}

function makeToken(context: CommandContext): CommandToken | null {
  const { dataDir, ports } = context;
  if (!existsSync(join(dataDir, 'console.db'))) return null;
  const inTokens = <T>(work: (tokens: ReturnType<typeof openConsoleRecords>['tokens']) => T): T => {
    const records = openConsoleRecords({ dataDir, clock: ports.clock, random: ports.random });
    try {
      return work(records.tokens);
    } finally {
      records.close();
    }
  };
  const expiresMs = ports.clock.nowMs() + TOKEN_MS;
  const name = `command line of ${context.surroundings.user}`;
  const made = inTokens((tokens) => tokens.create({ name, role: 'operate', sites: null, expiresMs }));
  return { secret: made.secret, withdraw: () => void inTokens((tokens) => tokens.withdraw(made.token.id)) };
}
