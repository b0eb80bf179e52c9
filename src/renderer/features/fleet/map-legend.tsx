import type { LinkHealth } from '#shared/api/fleet-replica.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

interface LinkLook {
  readonly word: string;
  readonly stroke: string;
  readonly width: number;
  readonly dash?: string;
  /** The state whose icon the line carries; a healthy line carries none. */
  readonly state: ReplicaState | null;
}

/** How the health of a link is drawn: never by colour alone. */
export const LINK_LOOK: Readonly<Record<LinkHealth, LinkLook>> = {
  healthy: { word: 'healthy', stroke: 'var(--line-strong)', width: 1.4, state: null },
  behind: { word: 'behind', stroke: 'var(--st-behind)', width: 1.8, dash: '7 4', state: 'behind' },
  blocked: { word: 'blocked', stroke: 'var(--st-blocked)', width: 2.2, state: 'blocked' },
  paused: { word: 'paused', stroke: 'var(--st-paused)', width: 1.8, dash: '11 4', state: 'paused' },
  tooOld: { word: 'too old', stroke: 'var(--st-tooold)', width: 1.8, dash: '2 4', state: 'tooOld' },
  unreachable: { word: 'no answer', stroke: 'var(--text-3)', width: 1.8, dash: '1 4', state: 'unreachable' },
};

const HEALTHS = [
  'healthy',
  'behind',
  'blocked',
  'paused',
  'tooOld',
  'unreachable',
] as const satisfies readonly LinkHealth[];

/** Explains the lines that the map has; what is not on it is not explained. */
export function MapLegend({ healths }: { readonly healths: readonly LinkHealth[] }) {
  return (
    <ul className="legend" aria-label="Lines of the map">
      {HEALTHS.filter((health) => healths.includes(health)).map((health) => {
        const { word, stroke, width, dash } = LINK_LOOK[health];
        return (
          <li key={health}>
            <svg width="22" height="8" aria-hidden>
              <path d="M0 4h22" stroke={stroke} strokeWidth={width} strokeDasharray={dash} />
            </svg>
            {word}
          </li>
        );
      })}
    </ul>
  );
}
