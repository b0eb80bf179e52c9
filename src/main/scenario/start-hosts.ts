import { createMortality } from './create-mortality.ts';
import { openHostCalls } from './open-host-calls.ts';
import { startProcessHost } from './process-host.ts';
import type { HostStarter } from './scenario-world.ts';

/** Starts hosts in this process, or in one of their own where the runner says so. */
export const hostStarter: HostStarter = {
  start: async (spec, { isOwnProcess, nowMs }) => {
    if (isOwnProcess) return startProcessHost(spec, { nowMs });
    const opened = openHostCalls(spec, { nowMs, mortality: createMortality(refuseToDie) });
    if (!opened.ok) throw new Error(opened.error.message);
    return {
      ...opened.value,
      kill: async () => Promise.resolve(refuseToDie()),
    };
  },
};

/** A host in this process cannot die alone: whoever kills one has given it a process before. */
function refuseToDie(): never {
  throw new Error('a host that can be killed runs in a process of its own');
}
