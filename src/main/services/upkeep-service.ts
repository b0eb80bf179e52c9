import type { Handlers } from '#shared/api/types.ts';
import { ok } from '#shared/result.ts';
import { givenOf } from './given-of.ts';
import { onMember, readMember } from './on-member.ts';
import { takeOnAsNew } from './take-on-as-new.ts';
import type { ServicePorts } from './service-ports.ts';

type UpkeepMethod = 'replica.check' | 'replica.prune' | 'replica.newSite';

/** What is done to a replica of this machine as a whole. */
export function createUpkeepHandlers(ports: ServicePorts): Pick<Handlers, UpkeepMethod> {
  const { members } = ports;

  return {
    'replica.check': ({ ref }) =>
      readMember(members, ref, async (member) => ({ problems: await member.keeper.replica.selfCheck() })),
    'replica.prune': ({ ref, ...request }) =>
      readMember(members, ref, (member) => member.keeper.replica.prune(givenOf(request))),
    'replica.newSite': ({ ref, because }, caller) =>
      onMember(members, ref, async (member) =>
        ok(await takeOnAsNew(ports, member, { because, who: caller.name })),
      ),
  };
}
