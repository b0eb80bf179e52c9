import type { BlockedDetail, ResolutionOutcome } from '#shared/api/blocked-procedures.ts';

import { ButtonLink } from '../../ui/button.tsx';
import { FingerprintChip } from '../../ui/fingerprint-chip.tsx';
import { LinkTo } from '../../ui/link-to.tsx';
import { OPTION_TITLES } from '../../ui/option-words.ts';
import { Facts, Panel } from '../../ui/panel.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { VerdictLine } from '../../ui/verdict-line.tsx';
import { counted } from '../../ui/words-model.ts';
import type { Decision, Here } from './blocked-batch-view.tsx';
import { admittedWords, outcomeVerdict, replicaOutcomeWords } from './outcome-model.ts';
import './blocked.css';

interface BatchOutcomeProps {
  readonly here: Here;
  readonly detail: BlockedDetail | undefined;
  readonly decision: Decision;
  readonly outcome: ResolutionOutcome;
}

/** How the decision went, replica by replica. */
export function BatchOutcome({ here, detail, decision, outcome }: BatchOutcomeProps) {
  const object = detail?.object ?? 'the object';
  return (
    <>
      <VerdictLine verdict={outcomeVerdict(outcome, object)}>
        <ButtonLink to={{ screen: 'fleet' }}>Go to the fleet</ButtonLink>
        <ButtonLink to={{ screen: 'replica', ref: here.ref, tab: 'journal' }}>Look at the journal</ButtonLink>
      </VerdictLine>
      <div className="work-only work-pad">
        <Panel title="Replica by replica" note={`after ${counted(outcome.rounds, 'round')} of sync`}>
          <table className="difference-table">
            <caption className="unseen">What became of each replica</caption>
            <thead>
              <tr>
                <th scope="col">Replica</th>
                <th scope="col">State</th>
                <th scope="col">What happened</th>
              </tr>
            </thead>
            <tbody>
              {outcome.replicas.map((replica) => (
                <tr key={replica.ref}>
                  <th scope="row">
                    <LinkTo
                      className="name-link"
                      to={{ screen: 'replica', ref: replica.ref, tab: 'overview' }}
                    >
                      {replica.name}
                    </LinkTo>
                  </th>
                  <td>
                    <StatePill state={replica.state} />
                  </td>
                  <td className="sec">{replicaOutcomeWords(replica, here.ref)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
        <Panel title="The decision" note="as it stands in the decision journal">
          <div className="outcome-facts">
            <Facts
              facts={[
                ['choice', OPTION_TITLES[decision.option]],
                ['why', decision.because],
                ['taken in', admittedWords(outcome.admitted)],
                [
                  'fingerprint',
                  <span key="fingerprint">
                    <FingerprintChip fingerprint={outcome.fingerprintBefore} isOld /> became{' '}
                    <FingerprintChip fingerprint={outcome.fingerprintAfter} />
                  </span>,
                ],
              ]}
            />
          </div>
        </Panel>
      </div>
    </>
  );
}
