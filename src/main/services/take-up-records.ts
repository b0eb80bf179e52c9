import type { ConsoleRecords } from '../console/open-console-records.ts';
import type { Timers } from '../peers/timers.ts';
import type { FleetBoard } from './fleet-board.ts';
import type { Links } from './links.ts';
import type { LocalMembers } from './local-members.ts';
import type { PushHub } from './push-hub.ts';

const LOOK_EVERY_MS = 2_000;

/** Takes up what the command line adds to the fleet of a running host. The answer ends it. */
export function takeUpRecords(deps: {
  readonly records: ConsoleRecords;
  readonly members: LocalMembers;
  readonly links: Links;
  readonly board: FleetBoard;
  readonly hub: PushHub;
  readonly timers: Timers;
}): () => void {
  const { records, members, links, board, hub, timers } = deps;
  let cancel = timers.after(LOOK_EVERY_MS, look);
  return () => cancel();

  function look(): void {
    cancel = timers.after(LOOK_EVERY_MS, look);
    if (!records.isChangedByOthers()) return;
    void members.takeUp();
    links.takeUp();
    board.invalidate();
    hub.push('fleet');
  }
}
