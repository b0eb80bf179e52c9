import { err, ok, type Result } from '#shared/result.ts';
import type { CommandFailure, CommandResult } from './command-answer.ts';
import { refuse } from './command-answer.ts';
import type { OpenReplicaError } from '../replica/open-replica.ts';
import type { CommandContext } from './command-context.ts';
import { connectToHolder } from './connect-to-holder.ts';
import { findReplica } from './find-replica.ts';
import { createHostDesk } from './host-desk.ts';
import { createLocalDesk } from './local-desk.ts';
import { openReplicaFile } from './open-replica-file.ts';
import type { OpenDesk } from './replica-desk.ts';

export interface DeskWish {
  /** As the user wrote it. */
  readonly replica: string;
  /** Whether the command changes something. */
  readonly writes: boolean;
}

/**
 * Runs a command at the desk of a replica and closes it afterwards.
 *
 * Where a running host holds the replica, that host is asked instead, and a note on stderr says so.
 */
export async function withDesk(
  context: CommandContext,
  wish: DeskWish,
  work: (open: OpenDesk) => Promise<CommandResult>,
): Promise<CommandResult> {
  const opened = await openDesk(context, wish);
  if (!opened.ok) return opened;
  if (opened.value.note !== null) context.output.err(`${opened.value.note}\n`);
  try {
    return await work(opened.value);
  } finally {
    await opened.value.close();
  }
}

async function openDesk(context: CommandContext, wish: DeskWish): Promise<Result<OpenDesk, CommandFailure>> {
  const found = findReplica(context, wish.replica);
  if (!found.ok) return found;
  const { path, name } = found.value;
  const opened = openReplicaFile(context, path);
  if (!opened.ok) return deskAtHolder(context, { path, name, error: opened.error });
  const replica = opened.value;
  return ok({
    desk: createLocalDesk(replica, context.user),
    name,
    note: null,
    close: async () => {
      replica.close();
      return Promise.resolve();
    },
  });
}

async function deskAtHolder(
  context: CommandContext,
  { path, name, error }: { readonly path: string; readonly name: string; readonly error: OpenReplicaError },
): Promise<Result<OpenDesk, CommandFailure>> {
  const address = error.code === 'held-by-host' ? error.address : null;
  if (address === null) return refuse(error.code, error.message);
  const holder = await connectToHolder(context, address);
  if (!holder.ok) return holder;
  const { client, close } = holder.value;
  const fleet = await client.call('fleet.get', {});
  const member = fleet.ok ? fleet.value.replicas.find((replica) => replica.path === path) : undefined;
  if (member === undefined) {
    close();
    return err({
      code: 'replica-unknown',
      message: `${error.message} It does not show this replica to us.`,
      status: 1,
    });
  }
  return ok({
    desk: createHostDesk(client, member.ref),
    name: member.name,
    note: `${name} is held by the host at ${address}, which answers for it.`,
    close: async () => {
      close();
      return Promise.resolve();
    },
  });
}
