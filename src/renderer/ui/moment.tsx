import { useNowMs } from './clock.tsx';
import { exactTime, relativeTime } from './words-model.ts';

/** A moment as people say it; the exact one on hover and for those who listen. */
export function Moment({ atMs }: { readonly atMs: number }) {
  const nowMs = useNowMs();
  const exact = exactTime(atMs);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={exact}>
      {relativeTime(atMs, nowMs)}
      <span className="unseen">, {exact}</span>
    </time>
  );
}
