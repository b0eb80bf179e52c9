import { X } from 'lucide-react';

import type { Verdict } from '#shared/model/vocabulary.ts';

import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import type { HistoryWish } from './replica-queries.ts';

/** Only what is recorded has a verdict here: a conflict is no entry of the history. */
const SHOWN = [
  { name: 'all', label: 'All' },
  { name: 'executed', label: 'Executed' },
  { name: 'alreadyApplied', label: 'Already applied' },
  { name: 'superseded', label: 'Superseded' },
  { name: 'convergedWithWarning', label: 'With a warning' },
] as const satisfies readonly { readonly name: Verdict | 'all'; readonly label: string }[];

/** Filters of the history: by verdict, and the object that was chosen in the inspector. */
export function MigrationsBar({
  wish,
  onWish,
}: {
  readonly wish: HistoryWish;
  readonly onWish: (wish: HistoryWish) => void;
}) {
  const current = SHOWN.find(({ name }) => name === wish.verdict)?.name ?? 'all';
  return (
    <div className="bar">
      <Segments
        label="Which verdict"
        current={current}
        onSelect={(name) => {
          onWish({ ...wish, verdict: name === 'all' ? null : name });
        }}
        segments={SHOWN}
      />
      {wish.object !== null && (
        <>
          <span className="sec small">
            only <code>{wish.object}</code>
          </span>
          <Button
            tone="quiet"
            icon={X}
            onClick={() => {
              onWish({ ...wish, object: null });
            }}
          >
            Show all objects
          </Button>
        </>
      )}
    </div>
  );
}
