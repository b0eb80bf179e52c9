import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { CopyButton } from '../../ui/copy-button.tsx';
import { DdlText } from '../../ui/ddl-text.tsx';
import { LinkTo } from '../../ui/link-to.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { counted, number } from '../../ui/words-model.ts';
import type { BatchProps } from './blocked-batch-view.tsx';
import type { PreviewState } from './blocked-batch.tsx';
import { PreviewSection } from './preview-section.tsx';

interface BatchInspectorProps extends BatchProps {
  readonly option: ResolutionOption | null;
  readonly preview: PreviewState | null;
  readonly onPreview: () => void;
  readonly cardCount: number;
}

/** Preview and result of the chosen card, what waits, and who else is stuck. */
export function BatchInspector({ here, detail, option, preview, onPreview, cardCount }: BatchInspectorProps) {
  return (
    <Inspector label="About this batch">
      {option !== null && preview !== null && (
        <PreviewSection detail={detail} option={option} preview={preview} onPreview={onPreview} />
      )}
      {preview?.data !== undefined && (
        <InspectorSection title="Result">
          <DdlText ddl={preview.data.resultDdl} />
        </InspectorSection>
      )}
      <InspectorSection title="Blocked behind">
        <Facts
          facts={[
            [here.name, counted(detail.behindChanges, 'change')],
            ['since', <Moment key="since" atMs={detail.sinceMs} />],
            [
              'refused at',
              <span key="seq" className="mono">
                {number(detail.unitSeq)}
              </span>,
            ],
          ]}
        />
      </InspectorSection>
      <AlsoStuck detail={detail} />
      <section className="inspector-actions inspector-hints">
        <span>
          <kbd>1</kbd>–<kbd>{cardCount}</kbd> choose
        </span>
        <span>
          <kbd>P</kbd> preview
        </span>
        <span>
          <kbd>N</kbd> next difference
        </span>
      </section>
    </Inspector>
  );
}

function AlsoStuck({ detail }: { readonly detail: BlockedDetail }) {
  return (
    <InspectorSection title="Also stuck on this">
      {detail.alsoStuck.length === 0 && (
        <p className="sec small">No other replica that this console reaches.</p>
      )}
      <ul className="stuck-list">
        {detail.alsoStuck.map((stuck) => (
          <li key={stuck.ref}>
            <StateIcon state="blocked" />
            <LinkTo className="name-link" to={{ screen: 'replica', ref: stuck.ref, tab: 'overview' }}>
              {stuck.name}
            </LinkTo>
            <span className="dim">
              from {stuck.fromName}, {counted(stuck.behindChanges, 'change')}
            </span>
          </li>
        ))}
      </ul>
      <p className="dim conflict-id">
        conflict <span className="mono">{detail.conflictId}</span>{' '}
        <CopyButton text={detail.conflictId} what="the conflict ID" />
      </p>
    </InspectorSection>
  );
}
