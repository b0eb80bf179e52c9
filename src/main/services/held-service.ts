import type { Handlers } from '#shared/api/types.ts';
import { givenOf } from './given-of.ts';
import { onMember, readMember } from './on-member.ts';
import type { ServicePorts } from './service-ports.ts';

type HeldHandlers = Pick<
  Handlers,
  'replica.held' | 'replica.measureHeld' | 'replica.decideHeld' | 'replica.editHeld'
>;

/** What waits for a place on a replica of this machine, and what people do with it. */
export function createHeldHandlers({ members }: ServicePorts): HeldHandlers {
  return {
    'replica.held': ({ ref, ...filter }) =>
      readMember(members, ref, async (member) => {
        const reader = member.reader();
        return { counts: await reader.heldCounts(), items: await reader.held(givenOf(filter)) };
      }),
    'replica.measureHeld': ({ ref, selection }) =>
      readMember(members, ref, (member) => member.reader().measureHeld(givenOf(selection))),
    'replica.decideHeld': ({ ref, action, selection, because }, caller) =>
      onMember(members, ref, (member) =>
        member.keeper.replica.decideHeld({
          action,
          selection: givenOf(selection),
          because,
          who: caller.name,
        }),
      ),
    'replica.editHeld': ({ ref, id, values, because }, caller) =>
      onMember(members, ref, (member) =>
        member.keeper.replica.editHeld({ id, values, because, who: caller.name }),
      ),
  };
}
