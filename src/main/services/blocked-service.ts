import type { AlsoStuck, BlockedDetail, ConflictSide } from '#shared/api/blocked-procedures.ts';
import type { Handlers, Input } from '#shared/api/types.ts';
import type { BlockedView } from '#shared/model/views.ts';
import { err, ok } from '#shared/result.ts';
import type { FleetBoard } from './fleet-board.ts';
import { shortSite } from './fleet-view.ts';
import { onMember } from './on-member.ts';
import { previewElsewhere } from './preview-elsewhere.ts';
import { resolveEverywhere } from './resolve-everywhere.ts';
import { callRemote, type RoutedMethod } from './route-remote.ts';
import type { ServicePorts } from './service-ports.ts';

type BlockedMethod = Extract<RoutedMethod, `blocked.${string}`>;

/** Blocked batches: what happened, what each answer would do, and the answer itself. For every replica of the fleet. */
export function createBlockedHandlers(ports: ServicePorts): Pick<Handlers, BlockedMethod> {
  const { members, hosts, board } = ports;

  return {
    'blocked.get': async (input) => {
      const remote = hosts.resolve(input.ref);
      const found =
        remote === null ? await getHere(ports, input) : await callRemote(remote, 'blocked.get', input);
      // Who else waits is asked of this console: it may show more hosts than the replica's own does.
      return found.ok ? ok({ ...found.value, alsoStuck: findAlsoStuck(board, input) }) : found;
    },
    'blocked.preview': async (input) => {
      const { ref, conflictId, option } = input;
      const remote = hosts.resolve(ref);
      const own =
        remote === null
          ? await onMember(members, ref, (member) =>
              member.keeper.replica.previewResolution(conflictId, option),
            )
          : await callRemote(remote, 'blocked.preview', input);
      if (!own.ok) return own;
      const { resultDdl, rows, rowsConverted, lossyCasts, lossyExamples, cellsHeld, rowsHeld } = own.value;
      const shape = { resultDdl, rows, rowsConverted, lossyCasts, lossyExamples, cellsHeld, rowsHeld };
      const name = board.replica(ref)?.name ?? ref;
      const others = await previewElsewhere(ports, {
        ref,
        conflictId,
        object: own.value.object,
        ddl: resultDdl,
      });
      return ok({ ...own.value, replicas: [{ ref, name, role: 'here', shape, note: null }, ...others] });
    },
    'blocked.resolve': (input, caller) => resolveEverywhere(ports, { ...input, who: caller.name }),
  };
}

function getHere({ members, board }: ServicePorts, { ref, conflictId }: Input<'blocked.get'>) {
  return onMember(members, ref, async (member) => {
    const views = await member.reader().blocked();
    const view = views.find((each) => each.conflictId === conflictId);
    if (view === undefined) {
      const message = `${member.record().name} is not blocked by this conflict (any more): nothing is to decide.`;
      return err({ code: 'no-such-conflict', message });
    }
    return ok(toDetail(view, board));
  });
}

function toDetail(view: BlockedView, board: FleetBoard): BlockedDetail {
  const from = board.findBySite(view.from);
  return {
    ...view,
    fromRef: from?.ref ?? null,
    fromName: from?.name ?? shortSite(view.from),
    sides: [
      toSide(board, { side: 'local', site: view.localCreatedBy, hlc: view.localCreatedHlc }),
      toSide(board, { side: 'remote', site: view.remoteCreatedBy, hlc: view.remoteCreatedHlc }),
    ],
    alsoStuck: [],
  };
}

function toSide(board: FleetBoard, side: Pick<ConflictSide, 'side' | 'site' | 'hlc'>): ConflictSide {
  const { site } = side;
  const replica = site === null ? null : board.findBySite(site);
  const name = site === null ? 'not known' : (replica?.name ?? shortSite(site));
  return { ...side, ref: replica?.ref ?? null, name };
}

function findAlsoStuck(board: FleetBoard, { ref, conflictId }: Input<'blocked.get'>): AlsoStuck[] {
  return board.fleet().replicas.flatMap((replica) => {
    const blocked = replica.blocked.find((each) => each.conflictId === conflictId);
    if (blocked === undefined || replica.ref === ref) return [];
    const { fromName, behindChanges } = blocked;
    return [{ ref: replica.ref, name: replica.name, fromName, behindChanges }];
  });
}
