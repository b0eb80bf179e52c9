import type { FleetReplica } from '#shared/api/fleet-replica.ts';

import { useNowMs } from '../../ui/clock.tsx';
import { lengthOfTime, number } from '../../ui/words-model.ts';

/** Changes that it has not, and since when; what is not known is said as that. */
export function LagCell({ replica }: { readonly replica: FleetReplica }) {
  const nowMs = useNowMs();
  const { lag, state, lastSyncMs } = replica;
  if (state === 'unreachable') {
    const since = lastSyncMs === null ? '' : `, ${lengthOfTime(nowMs - lastSyncMs)}`;
    return <span className="sec">not known{since}</span>;
  }
  if (lag.changes === 0) return <span className="dim">none</span>;
  return (
    <>
      {number(lag.changes)}
      {lag.oldestMs !== null && <span className="unit">{lengthOfTime(nowMs - lag.oldestMs)}</span>}
    </>
  );
}
