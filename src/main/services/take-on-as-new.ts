import type { NewSiteReport, NewSiteRequest } from '../replica/replica.ts';
import type { Member } from './member.ts';
import type { ServicePorts } from './service-ports.ts';

/** Makes a replica of this machine another one, and opens its links anew: they said hello by the name that it had. */
export async function takeOnAsNew(
  { links, board }: Pick<ServicePorts, 'links' | 'board'>,
  member: Member,
  request: NewSiteRequest,
): Promise<NewSiteReport> {
  const report = await member.keeper.replica.newSite(request);
  await member.refresh();
  board.invalidate();
  const touching = links
    .all()
    .map(({ record }) => record)
    .filter(({ a, b, paused }) => !paused && (a === member.ref || b === member.ref));
  for (const { id } of touching) {
    await links.setPaused(id, true);
    await links.setPaused(id, false);
  }
  return report;
}
