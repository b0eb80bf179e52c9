import { Unplug } from 'lucide-react';

import { useApi, useLinkState } from '../api/api-context.tsx';
import type { LinkState } from '../api/link.ts';
import { Button } from '../ui/button.tsx';
import { useNowMs } from '../ui/clock.tsx';
import { clockTime, lengthOfTime } from '../ui/words-model.ts';

/** Says that the host is lost: what, why, since when, what happens next. Nothing while it answers. */
export function HostStrip() {
  const state = useLinkState();
  const { retryLink } = useApi();
  const nowMs = useNowMs();
  if (state.status !== 'lost') return null;
  return (
    <div className="strip st-unreachable" role="alert">
      <Unplug className="icon in-state" size={14} aria-hidden />
      <span>{stripWords(state, nowMs)}</span>
      <span className="grow" />
      {state.why === 'noAnswer' && <Button onClick={retryLink}>Try now</Button>}
    </div>
  );
}

function stripWords(state: Extract<LinkState, { readonly status: 'lost' }>, nowMs: number): string {
  const since = `since ${clockTime(state.sinceMs)}`;
  if (state.why === 'signedOut') {
    return `The host does not know this browser any more, ${since}. Open the sign-in link that it prints when it starts. What is shown is as of then.`;
  }
  const next =
    state.nextTryMs === null || state.nextTryMs <= nowMs
      ? 'now'
      : `in ${lengthOfTime(state.nextTryMs - nowMs + 999)}`;
  return `The host does not answer, ${since}. Tried again ${next}. What is shown is as of then; nothing is lost.`;
}
