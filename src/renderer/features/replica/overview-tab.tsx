import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { Check } from '#shared/api/replica-procedures.ts';

import { mainBrief } from '../../ui/main-brief.ts';
import { useApi } from '../../api/api-context.tsx';
import { activityQuery } from '../../api/activity-query.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { activityLine } from '../../ui/activity-model.ts';
import { FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { Moment } from '../../ui/moment.tsx';
import { LinkTo } from '../../ui/link-to.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SentenceText } from '../../ui/sentence.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { ChecklistPanel } from './checklist-panel.tsx';
import { ReplicaInspector } from './replica-inspector.tsx';
import { checklistQuery } from './replica-queries.ts';

/** Why nothing arrives, what happened lately, and the replica's own facts. */
export function OverviewTab({ fleet, replica }: { readonly fleet: Fleet; readonly replica: FleetReplica }) {
  return (
    <div className="work">
      <div className="work-column work-pad">
        <Checklist replica={replica} />
        <Latest replica={replica} />
      </div>
      <ReplicaInspector fleet={fleet} replica={replica} />
    </div>
  );
}

function Checklist({ replica }: { readonly replica: FleetReplica }) {
  const { client } = useApi();
  const checklist = useQuery(checklistQuery(client, replica.ref, mainBrief(replica)?.from ?? null));
  const again = (): void => void checklist.refetch();
  if (checklist.data !== undefined) {
    return (
      <ChecklistPanel
        checklist={checklist.data}
        isQuiet={replica.state === 'inSync'}
        checkedMs={checklist.dataUpdatedAt}
        isBusy={checklist.isFetching}
        onAgain={again}
        wayOutOf={(check) => wayOutOf(check, replica)}
      />
    );
  }
  return (
    <Panel title="Why is nothing arriving?">
      {checklist.isError ? (
        <FailedNotice what="The check-list" error={checklist.error} onRetry={again} />
      ) : (
        <ReadingNotice what="the check-list" rows={8} />
      )}
    </Panel>
  );
}

/** What a failing check is mended with, where the console has it. */
function wayOutOf(check: Check, replica: FleetReplica): ReactNode {
  const brief = mainBrief(replica);
  if ((check !== 'blocked' && check !== 'schema') || brief === undefined) return null;
  return (
    <ButtonLink
      tone="primary"
      to={{ screen: 'blockedBatch', ref: replica.ref, conflictId: brief.conflictId }}
    >
      Decide
    </ButtonLink>
  );
}

const LATEST_MAX = 8;

function Latest({ replica }: { readonly replica: FleetReplica }) {
  const activity = useInfiniteQuery(activityQuery(useApi().client));
  const entries =
    activity.data?.pages
      .flat()
      .filter((entry) => entry.ref === replica.ref)
      .slice(0, LATEST_MAX) ?? [];
  if (entries.length === 0) return null;
  return (
    <Panel
      title="Latest here"
      aside={
        <LinkTo className="small" to={{ screen: 'activity' }}>
          All activity
        </LinkTo>
      }
    >
      <ul className="latest">
        {entries.map((entry) => {
          const { state, sentence } = activityLine(entry);
          return (
            <li key={entry.id}>
              <StateIcon state={state} />
              <span>
                <SentenceText sentence={sentence} />
              </span>
              <span className="dim small latest-time">
                <Moment atMs={entry.atMs} />
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
