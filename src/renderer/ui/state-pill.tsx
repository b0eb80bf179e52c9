import type { ReplicaState } from '#shared/model/vocabulary.ts';

import { STATE_LOOK } from './state-look.ts';
import './state-pill.css';

/** A replica's state: icon and word on its tint; in sync stays quiet. */
export function StatePill({ state }: { readonly state: ReplicaState }) {
  const { icon: Icon, word, className } = STATE_LOOK[state];
  return (
    <span className={`pill ${className} ${state === 'inSync' ? 'pill-quiet' : ''}`}>
      <Icon className="icon" size={14} aria-hidden />
      {word}
    </span>
  );
}

/** The icon of a state in its colour. The word must stand beside it or in `label`. */
export function StateIcon({ state, size = 14 }: { readonly state: ReplicaState; readonly size?: number }) {
  const { icon: Icon, className } = STATE_LOOK[state];
  return <Icon className={`icon in-state ${className}`} size={size} aria-hidden />;
}
