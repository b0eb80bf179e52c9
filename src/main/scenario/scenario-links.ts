import { createSiteClaims, type SiteClaims } from './site-claims.ts';
import { createWithholding, type Withholding } from '../peers/disturbed-link.ts';

/** What stands between the replicas of a scenario, per direction. */
export interface ScenarioLinks {
  readonly pause: (direction: string) => void;
  readonly resume: (direction: string) => void;
  readonly isPaused: (direction: string) => boolean;
  /** What is kept back on a direction; the same for all its syncs. */
  readonly withholding: (direction: string) => Withholding;
  /** Rows read for the last sync step of a direction; undefined when there was none. */
  readonly sentRows: (direction: string) => number | undefined;
  readonly setSentRows: (direction: string, rows: number) => void;
  readonly claims: SiteClaims;
}

/** Names a direction of a link. */
export const directionOf = (from: string, to: string): string => `${from} -> ${to}`;

/** Links on which nothing is paused or withheld. */
export function createScenarioLinks(): ScenarioLinks {
  const paused = new Set<string>();
  const withholdings = new Map<string, Withholding>();
  const sent = new Map<string, number>();

  return {
    pause: (direction) => void paused.add(direction),
    resume: (direction) => void paused.delete(direction),
    isPaused: (direction) => paused.has(direction),
    withholding: (direction) => {
      const known = withholdings.get(direction) ?? createWithholding();
      withholdings.set(direction, known);
      return known;
    },
    sentRows: (direction) => sent.get(direction),
    setSentRows: (direction, rows) => void sent.set(direction, rows),
    claims: createSiteClaims(),
  };
}
