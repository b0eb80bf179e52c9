import { useId, useState } from 'react';

import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { Button } from '../../ui/button.tsx';
import { failureWords } from '../../ui/failure-words.ts';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import { applyLabel, applyTerms } from './apply-model.ts';
import type { ApplyTerms } from './apply-model.ts';
import type { ResolveProps } from './blocked-batch-view.tsx';
import type { Preview } from './option-cards-model.ts';

interface ApplyPanelProps {
  readonly detail: BlockedDetail;
  readonly option: ResolutionOption;
  readonly preview: Preview | undefined;
  readonly onPreview: () => void;
  readonly resolve: ResolveProps;
}

/** Why, and then the one primary button. What is still missing stands beside it. */
export function ApplyPanel({ detail, option, preview, onPreview, resolve }: ApplyPanelProps) {
  const id = useId();
  const [because, setBecause] = useState('');
  const [typedName, setTypedName] = useState('');
  const [typedReplicas, setTypedReplicas] = useState('');
  const terms = applyTerms({ option, object: detail.object, preview, because, typedName, typedReplicas });
  const apply = (): void => {
    if (terms.missing === null && !resolve.isBusy) resolve.decide({ option, because: because.trim() });
  };
  // Enter and its like never confirm what can lose something.
  useShortcuts({ 'mod+enter': terms.tone === 'danger' ? undefined : apply });
  return (
    <section className="panel apply-panel" aria-label="Decide">
      <TextField label="Why? It goes into the decision journal." value={because} onChange={setBecause} />
      {terms.needsName && (
        <TextField
          label={`Something is lost. Type the name of the table, ${detail.object}:`}
          value={typedName}
          onChange={setTypedName}
        />
      )}
      {terms.needsReplicas !== null && (
        <TextField
          label="On how many replicas does a cast lose something?"
          value={typedReplicas}
          onChange={setTypedReplicas}
        />
      )}
      <div className="apply-buttons">
        {terms.needsPreview && preview === undefined && (
          <Button hint="P" onClick={onPreview}>
            Preview
          </Button>
        )}
        <Button
          tone={terms.tone === 'danger' ? 'danger' : 'primary'}
          {...(terms.tone === 'plain' && { hint: 'Ctrl Enter' })}
          aria-disabled={terms.missing !== null}
          aria-describedby={`${id}-terms`}
          busy={resolve.isBusy}
          onClick={apply}
        >
          {applyLabel(option, detail)}
        </Button>
      </div>
      <p className="dim small" id={`${id}-terms`}>
        {termsWords(terms, resolve.isBusy)}
      </p>
      <ResolveFailed resolve={resolve} />
    </section>
  );
}

function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <label className="form-row">
      {props.label}
      <input
        className="input"
        type="text"
        autoComplete="off"
        value={props.value}
        onChange={(event) => {
          props.onChange(event.target.value);
        }}
      />
    </label>
  );
}

function termsWords(terms: ApplyTerms, isBusy: boolean): string {
  if (isBusy) return 'Deciding, then syncing until the decision has arrived everywhere that answers.';
  if (terms.missing !== null) return terms.missing;
  if (terms.tone === 'danger') return 'Some casts lose something: the preview lists them.';
  return 'Nothing is lost by this, so no name has to be typed.';
}

function ResolveFailed({ resolve }: { readonly resolve: ResolveProps }) {
  if (resolve.error === null) return null;
  const { why, next } = failureWords(resolve.error);
  return (
    <p className="form-failed st-blocked" role="alert">
      <b>Nothing was decided.</b> {why} {next}
    </p>
  );
}
