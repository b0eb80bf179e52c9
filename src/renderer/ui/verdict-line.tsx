import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import type { ReplicaState } from '#shared/model/vocabulary.ts';

import type { Sentence } from './sentence-model.ts';
import { SentenceText } from './sentence.tsx';
import { STATE_LOOK } from './state-look.ts';
import './verdict-line.css';

/** What a screen opens with: what is the matter, and in one line what that means. */
export interface Verdict {
  /** The state whose icon and colour stand beside it; of what one decision frees most of. */
  readonly state: ReplicaState;
  readonly headline: Sentence;
  readonly consequence: Sentence;
}

/** The top line of a screen; at most two buttons beside it. */
export function VerdictLine({
  verdict,
  children,
}: {
  readonly verdict: Verdict;
  readonly children?: ReactNode;
}) {
  const { icon, className } = STATE_LOOK[verdict.state];
  return (
    <TopLine icon={icon} className={className} aside={children}>
      <h1 id="verdict">
        <SentenceText sentence={verdict.headline} />
      </h1>
      <p>
        <SentenceText sentence={verdict.consequence} />
      </p>
    </TopLine>
  );
}

interface TopLineProps {
  readonly icon: LucideIcon;
  readonly className: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** The top line's frame, for screens whose sentence is not about a state. */
export function TopLine({ icon: Icon, className, aside, children }: TopLineProps) {
  return (
    <header className={`top-line ${className}`}>
      <span className="top-line-icon">
        <Icon size={16} aria-hidden />
      </span>
      <div className="top-line-say">{children}</div>
      {aside}
    </header>
  );
}
