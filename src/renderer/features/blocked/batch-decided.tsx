import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';

import { ButtonLink } from '../../ui/button.tsx';
import { EmptyNotice } from '../../ui/notice.tsx';
import { VerdictLine } from '../../ui/verdict-line.tsx';
import type { Here } from './blocked-batch-view.tsx';

/** The conflict of this address is no longer open: someone decided it, here or on another replica. */
export function BatchDecided({
  here,
  detail,
}: {
  readonly here: Here;
  readonly detail: BlockedDetail | undefined;
}) {
  return (
    <>
      <VerdictLine
        verdict={{
          state: 'inSync',
          headline: [
            { name: here.name, to: { screen: 'replica', ref: here.ref, tab: 'overview' } },
            ' is not blocked on this any more.',
          ],
          consequence: [
            detail === undefined
              ? 'The conflict was decided.'
              : `The conflict over ${detail.object} was decided.`,
          ],
        }}
      />
      <EmptyNotice
        action={
          <ButtonLink to={{ screen: 'replica', ref: here.ref, tab: 'journal' }}>
            Look at the journal
          </ButtonLink>
        }
      >
        The decision journal says who decided, how and why.
      </EmptyNotice>
    </>
  );
}
