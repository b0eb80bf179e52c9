import { CircleCheck, CircleQuestionMark, ClockArrowDown, OctagonX } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Check, Checklist, ChecklistItem } from '#shared/api/replica-procedures.ts';

import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { textToSentence } from '../../ui/sentence-model.ts';
import { SentenceText } from '../../ui/sentence.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';

interface ChecklistPanelProps {
  readonly checklist: Checklist;
  /** Nothing is the matter, so the question is asked in the past tense of none. */
  readonly isQuiet: boolean;
  readonly checkedMs: number;
  readonly isBusy: boolean;
  readonly onAgain: () => void;
  /** The button that the first failing check holds; null where there is none. */
  readonly wayOutOf: (check: Check) => ReactNode;
}

/** The checks in the order of the path of a change. The first that fails says so and holds the way out. */
export function ChecklistPanel({
  checklist,
  isQuiet,
  checkedMs,
  isBusy,
  onAgain,
  wayOutOf,
}: ChecklistPanelProps) {
  useShortcuts({ r: onAgain });
  const stopAt = checklist.items.findIndex((item) => item.verdict === 'stops');
  return (
    <Panel
      title={titleOf(checklist, isQuiet)}
      note={
        <>
          checked <Moment atMs={checkedMs} />, in this order
        </>
      }
      aside={
        <Button tone="quiet" hint="R" busy={isBusy} onClick={onAgain}>
          Check again
        </Button>
      }
    >
      <ol className="checklist">
        {checklist.items.map((item, index) => (
          <CheckLine
            key={item.check}
            item={item}
            stopsHere={index === stopAt}
            wayOut={index === stopAt ? wayOutOf(item.check) : null}
          />
        ))}
      </ol>
    </Panel>
  );
}

function titleOf(checklist: Checklist, isQuiet: boolean): string {
  const from = checklist.peer === null ? '' : ` from ${checklist.peer.name}`;
  return isQuiet ? `What arrives${from}` : `Why is nothing arriving${from}?`;
}

const CHECK_NAMES: Readonly<Record<Check, string>> = {
  link: 'Link',
  identity: 'Identity',
  protocol: 'Protocol',
  clock: 'Clock',
  schema: 'Schema',
  cursor: 'Cursor',
  held: 'Held',
  blocked: 'Blocked',
};

interface CheckLook {
  readonly icon: LucideIcon;
  readonly className: string;
  readonly word: string;
}

const LOOKS: Readonly<Record<ChecklistItem['verdict'], CheckLook>> = {
  ok: { icon: CircleCheck, className: 'st-sync', word: 'well' },
  stops: { icon: OctagonX, className: 'st-blocked', word: 'stops' },
  note: { icon: ClockArrowDown, className: 'st-behind', word: 'note' },
  unknown: { icon: CircleQuestionMark, className: 'st-plain', word: 'not known' },
};

function CheckLine(props: {
  readonly item: ChecklistItem;
  readonly stopsHere: boolean;
  readonly wayOut: ReactNode;
}) {
  const { item, stopsHere, wayOut } = props;
  const { icon: Icon, className, word } = LOOKS[item.verdict];
  return (
    <li className={className} data-stops={stopsHere || undefined}>
      <Icon className="icon in-state" size={16} aria-hidden />
      <span className="check-name">
        {CHECK_NAMES[item.check]}
        <span className="unseen">, {word}:</span>
      </span>
      <span className={stopsHere ? 'check-text' : 'check-text sec'}>
        {stopsHere && <b>Stops here. </b>}
        <SentenceText sentence={textToSentence(item.text)} />
      </span>
      {wayOut}
    </li>
  );
}
