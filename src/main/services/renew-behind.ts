import type { Failure } from '#shared/api/types.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { onMember } from './on-member.ts';
import { callRemote } from './route-remote.ts';
import type { ServicePorts } from './service-ports.ts';
import { takeOnAsNew } from './take-on-as-new.ts';

/**
 * Makes the restored or copied file behind a blocked line a new site, wherever it is; of two files with one site ID the one that
 * came into the fleet last.
 *
 * Errors: `resolution-failed` where it is not in the fleet, with what to do there.
 */
export async function renewBehind(
  ports: ServicePorts,
  wish: { readonly ref: string; readonly conflictId: string; readonly because: string; readonly who: string },
): Promise<Result<undefined, Failure<'blocked.resolve'>>> {
  const { ref, conflictId, because, who } = wish;
  const replicas = ports.board.fleet().replicas;
  const line = ports.board.replica(ref)?.blocked.find((each) => each.conflictId === conflictId);
  // The call that decides says what there is.
  if (line === undefined) return ok(undefined);
  const site = line.from === null ? undefined : ports.board.replica(line.from)?.status?.site;
  const stray = replicas.findLast(
    (other) => other.ref !== ref && site !== undefined && other.status?.site === site,
  );
  if (stray === undefined) {
    const message = `The file of ${line.fromName} is in no fleet that this console sees. Run "concord new-site" on it where it is; this line is free at the next sync.`;
    return err({ code: 'resolution-failed', message });
  }
  const remote = ports.hosts.resolve(stray.ref);
  const renewed =
    remote === null
      ? await onMember(ports.members, stray.ref, async (member) =>
          ok(await takeOnAsNew(ports, member, { because, who })),
        )
      : await callRemote(remote, 'replica.newSite', { ref: stray.ref, because });
  return renewed.ok ? ok(undefined) : renewed;
}
