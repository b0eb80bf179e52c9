import { CircleCheck, CircleQuestionMark, CornerDownRight, Inbox, TriangleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { Button } from '../../ui/button.tsx';
import { failureWords } from '../../ui/failure-words.ts';
import { OPTION_TITLES } from '../../ui/option-words.ts';
import { InspectorSection } from '../../ui/panel.tsx';
import { SentenceText } from '../../ui/sentence.tsx';
import { sentenceText } from '../../ui/sentence-model.ts';
import { clockTime } from '../../ui/words-model.ts';
import type { PreviewState } from './blocked-batch.tsx';
import type { Preview } from './option-cards-model.ts';
import { lossyWords, previewLines } from './preview-model.ts';
import type { PreviewLine } from './preview-model.ts';

interface PreviewSectionProps {
  readonly detail: BlockedDetail;
  readonly option: ResolutionOption;
  readonly preview: PreviewState;
  readonly onPreview: () => void;
}

/** What the scratch run of the chosen card found. */
export function PreviewSection({ detail, option, preview, onPreview }: PreviewSectionProps) {
  const { data, error, isRunning } = preview;
  return (
    <InspectorSection>
      <h2>
        Preview of {OPTION_TITLES[option]}
        {data !== undefined && (
          <span className="pill st-sync">
            <CircleCheck className="icon" size={14} aria-hidden />
            works
          </span>
        )}
      </h2>
      <PreviewBody detail={detail} option={option} preview={preview} />
      {(data !== undefined || error !== null) && (
        <Button tone="quiet" hint="P" busy={isRunning} onClick={onPreview}>
          {isRunning ? 'Running' : 'Run it again'}
        </Button>
      )}
    </InspectorSection>
  );
}

interface PreviewBodyProps {
  readonly detail: BlockedDetail;
  readonly option: ResolutionOption;
  readonly preview: PreviewState;
}

function PreviewBody({ detail, option, preview }: PreviewBodyProps) {
  const { data, error, isRunning, ranMs } = preview;
  if (data !== undefined) return <PreviewList preview={data} detail={detail} ranMs={ranMs} />;
  if (error !== null) {
    const { why, next } = failureWords(error);
    return (
      <p className="form-failed st-blocked" role="alert">
        {why} {next}
      </p>
    );
  }
  if (isRunning)
    return <p className="dim small preview-note">Running it on scratch copies. Nothing is changed.</p>;
  if (option === 'retry')
    return <p className="sec small preview-note">A retry has no preview: it changes nothing by itself.</p>;
  if (option === 'setAside') {
    return (
      <p className="sec small preview-note">
        Nothing is converted. What concerns {detail.object} is held; the rest of the line flows.
      </p>
    );
  }
  return (
    <p className="sec small preview-note">Not run yet. The table is large, so it is counted when you ask.</p>
  );
}

const MARKS: Readonly<
  Record<PreviewLine['mark'], { readonly icon: LucideIcon; readonly className: string }>
> = {
  fits: { icon: CircleCheck, className: 'st-sync' },
  held: { icon: Inbox, className: 'st-held' },
  loses: { icon: TriangleAlert, className: 'st-blocked' },
  then: { icon: CornerDownRight, className: 'st-sync' },
  unknown: { icon: CircleQuestionMark, className: 'st-plain' },
};

interface PreviewListProps {
  readonly preview: Preview;
  readonly detail: BlockedDetail;
  readonly ranMs: number;
}

function PreviewList({ preview, detail, ranMs }: PreviewListProps) {
  return (
    <>
      <p className="dim small preview-note">On scratch copies, {clockTime(ranMs)}. Nothing was changed.</p>
      <ul className="preview-list">
        {previewLines(preview, detail).map((line) => {
          const { icon: Icon, className } = MARKS[line.mark];
          return (
            <li key={sentenceText(line.text)} className={className}>
              <Icon className="icon in-state" size={14} aria-hidden />
              <span>
                <SentenceText sentence={line.text} />
              </span>
            </li>
          );
        })}
      </ul>
      <LossyExamples preview={preview} />
    </>
  );
}

function LossyExamples({ preview }: { readonly preview: Preview }) {
  const examples = preview.replicas.flatMap(({ name, shape }) =>
    (shape?.lossyExamples ?? []).map((example) => ({ name, words: lossyWords(example) })),
  );
  if (examples.length === 0) return null;
  return (
    <details className="lossy-examples">
      <summary>What the casts lose</summary>
      <ul>
        {examples.map(({ name, words }) => (
          <li key={`${name} ${words}`}>
            <span className="dim">{name}</span> <code>{words}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
