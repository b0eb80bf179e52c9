import { err, ok, type Result } from '#shared/result.ts';
import type { OpenReplicaError } from '../replica/open-replica.ts';
import { readLease } from '../store/lease.ts';
import { openDatabase } from '../store/open-database.ts';
import { refuse, type CommandFailure, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { connectToHolder } from './connect-to-holder.ts';
import { findReplica, type FoundReplica } from './find-replica.ts';
import { createHostDesk } from './host-desk.ts';
import { createLocalDesk, createReadingDesk } from './local-desk.ts';
import { openQuietReader } from './open-quiet-reader.ts';
import { openReplicaFile } from './open-replica-file.ts';
import type { OpenDesk } from './replica-desk.ts';

export interface DeskWish {
  /** As the user wrote it. */
  readonly replica: string;
  /** reads: nothing is written, not even that somebody looked. acts: as the replica's host, or through the one it has. */
  readonly as: 'reads' | 'acts';
}

/**
 * Runs a command at the desk of a replica and closes it afterwards.
 *
 * A running host that holds the replica is asked to act, and its file is only read beside it; a note on stderr says so.
 */
export async function withDesk(
  context: CommandContext,
  wish: DeskWish,
  work: (open: OpenDesk) => Promise<CommandResult>,
): Promise<CommandResult> {
  const found = findReplica(context, wish.replica);
  if (!found.ok) return found;
  const opened =
    wish.as === 'reads' ? readingDesk(context, found.value) : await actingDesk(context, found.value);
  if (!opened.ok) return opened;
  if (opened.value.note !== null) context.output.err(`${opened.value.note}\n`);
  try {
    return await work(opened.value);
  } finally {
    opened.value.close();
  }
}

function readingDesk(
  context: CommandContext,
  { path, name }: FoundReplica,
): Result<OpenDesk, CommandFailure> {
  const opened = openQuietReader(context, path);
  if (!opened.ok) return refuse(opened.error.code, opened.error.message);
  const reader = opened.value;
  const note = isHeld(context, path)
    ? `${name} is held by a running host; this is what its file says.`
    : null;
  return ok({ desk: createReadingDesk(reader), name, note, close: reader.close });
}

function isHeld(context: CommandContext, path: string): boolean {
  const opened = openDatabase({ path, readOnly: true });
  if (!opened.ok) return false;
  const lease = readLease(opened.value);
  opened.value.close();
  return lease !== null && lease.untilMs > context.ports.clock.nowMs();
}

async function actingDesk(
  context: CommandContext,
  found: FoundReplica,
): Promise<Result<OpenDesk, CommandFailure>> {
  const opened = openReplicaFile(context, found.path);
  if (!opened.ok) return deskAtHolder(context, found, opened.error);
  const replica = opened.value;
  return ok({
    desk: createLocalDesk(replica, context.surroundings.user),
    name: found.name,
    note: null,
    close: replica.close,
  });
}

async function deskAtHolder(
  context: CommandContext,
  { path, name }: FoundReplica,
  error: OpenReplicaError,
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
      message: `The host at ${address} does not show ${name} to us.`,
      status: 1,
    });
  }
  return ok({
    desk: createHostDesk(client, member.ref),
    name: member.name,
    note: `${name} is held by the host at ${address}, which answers for it.`,
    close,
  });
}
