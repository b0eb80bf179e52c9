import type { Handlers } from '#shared/api/types.ts';
import { ok } from '#shared/result.ts';
import type { HostInfo } from './host-info.ts';

/** What the console asks of the host itself. */
export function createHostHandlers(info: HostInfo): Pick<Handlers, 'host.info'> {
  return { 'host.info': async () => Promise.resolve(ok(info)) };
}
