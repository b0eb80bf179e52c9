import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { useApi } from '../../api/api-context.tsx';
import { Button } from '../../ui/button.tsx';
import { useNowMs } from '../../ui/clock.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { VerdictLine } from '../../ui/verdict-line.tsx';
import { AfterPanel } from './after-panel.tsx';
import { ApplyPanel } from './apply-panel.tsx';
import { BatchInspector } from './batch-inspector.tsx';
import type { BatchProps, ResolveProps } from './blocked-batch-view.tsx';
import { previewQuery } from './blocked-queries.ts';
import type { ConflictPlace } from './blocked-queries.ts';
import { blockedVerdict } from './blocked-verdict-model.ts';
import { Definitions } from './definitions.tsx';
import { OptionCards } from './option-cards.tsx';
import { optionCards } from './option-cards-model.ts';
import type { Preview } from './option-cards-model.ts';
import './blocked.css';

interface BlockedBatchProps extends BatchProps {
  readonly place: ConflictPlace;
  readonly resolve: ResolveProps;
}

/** Up to so many rows both shapes are counted at once; above, when a person asks. */
const COUNTED_UNASKED_MAX = 50_000;

export function BlockedBatch({ here, detail, place, resolve }: BlockedBatchProps) {
  const nowMs = useNowMs();
  const previews = usePreviews(place, detail);
  const cards = optionCards({ detail, hereName: here.name, previewByOption: previews.byOption });
  const [chosen, setChosen] = useState<ResolutionOption | null>(null);
  const option = chosen ?? cards[0]?.option ?? null;
  const showPreview = (): void => {
    if (option !== null) previews.ask(option);
  };
  useShortcuts({
    ...Object.fromEntries(
      cards.map((card, index) => [
        String(index + 1),
        () => {
          setChosen(card.option);
        },
      ]),
    ),
    p: showPreview,
  });
  return (
    <>
      <VerdictLine verdict={blockedVerdict({ detail, replica: here, nowMs })}>
        <span className="dim small">{alikeWords(detail)}</span>
        {detail.options.includes('retry') && (
          <Button
            busy={resolve.isBusy}
            onClick={() => {
              resolve.decide({ option: 'retry', because: 'Retried from the console' });
            }}
          >
            Retry now
          </Button>
        )}
      </VerdictLine>
      <div className="work work-batch">
        <div className="work-column work-pad">
          <Definitions here={here} detail={detail} />
          <OptionCards cards={cards} object={detail.object} chosen={option} onChoose={setChosen} />
          {option !== null && (
            <ApplyPanel
              key={option}
              detail={detail}
              option={option}
              preview={previews.byOption.get(option)}
              onPreview={showPreview}
              resolve={resolve}
            />
          )}
          <AfterPanel preview={option === null ? undefined : previews.byOption.get(option)} detail={detail} />
        </div>
        <BatchInspector
          here={here}
          detail={detail}
          option={option}
          preview={option === null ? null : previews.stateOf(option)}
          onPreview={showPreview}
          cardCount={cards.length}
        />
      </div>
    </>
  );
}

function alikeWords(detail: BlockedDetail): string {
  const others = detail.alsoStuck.length;
  return others === 0 ? 'The only block of this conflict' : `1 of ${others + 1} blocks, the same conflict`;
}

export interface PreviewState {
  readonly data: Preview | undefined;
  readonly error: Error | null;
  readonly isRunning: boolean;
  /** When `data` was found. */
  readonly ranMs: number;
}

interface Previews {
  readonly byOption: ReadonlyMap<ResolutionOption, Preview>;
  readonly stateOf: (option: ResolutionOption) => PreviewState;
  readonly ask: (option: ResolutionOption) => void;
}

/** Previews of the two shapes, run unasked while that is cheap, and of others when asked for. */
function usePreviews(place: ConflictPlace, detail: BlockedDetail): Previews {
  const isCheap = (detail.localRows ?? 0) <= COUNTED_UNASKED_MAX;
  const { ref, conflictId } = place;
  const [asked, setAsked] = useState<readonly ResolutionOption[]>([]);
  const wanted = (option: ResolutionOption): boolean =>
    detail.options.includes(option) && (isCheap || asked.includes(option));
  const { client } = useApi();
  const takeRemote = useQuery({
    ...previewQuery(client, { ref, conflictId, option: 'takeRemote' }),
    enabled: wanted('takeRemote'),
  });
  const keepLocal = useQuery({
    ...previewQuery(client, { ref, conflictId, option: 'keepLocal' }),
    enabled: wanted('keepLocal'),
  });
  const run = { takeRemote, keepLocal };
  const isShape = (option: ResolutionOption): option is keyof typeof run => option in run;
  return {
    byOption: new Map(
      (['takeRemote', 'keepLocal'] as const).flatMap((option) => {
        const { data } = run[option];
        return data === undefined ? [] : [[option, data] as const];
      }),
    ),
    stateOf: (option) => {
      if (!isShape(option)) return { data: undefined, error: null, isRunning: false, ranMs: 0 };
      const { data, error, isFetching, dataUpdatedAt } = run[option];
      return { data, error, isRunning: isFetching, ranMs: dataUpdatedAt };
    },
    ask: (option) => {
      setAsked((before) => [...before, option]);
      if (isShape(option) && wanted(option)) void run[option].refetch();
    },
  };
}
