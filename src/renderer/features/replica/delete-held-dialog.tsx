import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';

import type { Fleet } from '#shared/api/fleet-replica.ts';

import { useApi } from '../../api/api-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormField } from '../../ui/form-parts.tsx';
import { FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { SentenceText } from '../../ui/sentence.tsx';
import { counted } from '../../ui/words-model.ts';
import { extentSentence } from './held-scope-model.ts';
import type { HeldScope } from './held-scope-model.ts';
import { heldExtentQuery } from './replica-queries.ts';

interface DeleteHeldDialogProps {
  readonly refId: string;
  readonly fleet: Fleet;
  readonly scope: HeldScope;
  readonly isBusy: boolean;
  readonly onExport: () => void;
  readonly onConfirm: (because: string) => void;
  readonly onClose: () => void;
}

/** Counts what is lost, and asks why and for the object's name before held changes are gone for good. */
export function DeleteHeldDialog(props: DeleteHeldDialogProps) {
  const { refId, fleet, scope, isBusy, onExport, onConfirm, onClose } = props;
  const id = useId();
  const [because, setBecause] = useState('');
  const [typedName, setTypedName] = useState('');
  const extent = useQuery(heldExtentQuery(useApi().client, refId, scope.selection));
  const replica = fleet.replicas.find(({ ref }) => ref === refId)?.name ?? refId;
  const name = scope.table ?? replica;
  const missing = missingWords({ isCounted: extent.isSuccess, because, name, typedName });
  return (
    <Dialog title="Delete held changes" onClose={onClose}>
      {extent.isError ? (
        <FailedNotice what="What is lost" error={extent.error} onRetry={() => void extent.refetch()} />
      ) : extent.data === undefined ? (
        <ReadingNotice what="what is lost" rows={1} />
      ) : (
        <p>
          <b>
            <SentenceText sentence={extentSentence(extent.data, fleet)} />
          </b>{' '}
          They are gone from <code>{replica}</code> for good; the journal keeps who deleted what and why.
        </p>
      )}
      <Button icon={Download} onClick={onExport}>
        Export them first
      </Button>
      <FormField label="Why? It goes into the decision journal." value={because} onChange={setBecause} />
      <FormField
        label={`Type the name of the ${scope.table === null ? 'replica' : 'object'}, ${name}:`}
        value={typedName}
        onChange={setTypedName}
      />
      <div className="dialog-foot">
        <p className="dim small grow" id={`${id}-missing`}>
          {missing}
        </p>
        <Button tone="quiet" onClick={onClose}>
          Keep them
        </Button>
        <Button
          tone="danger"
          aria-disabled={missing !== null}
          aria-describedby={`${id}-missing`}
          busy={isBusy}
          onClick={() => {
            onConfirm(because.trim());
          }}
        >
          {extent.data === undefined ? 'Delete them' : `Delete ${counted(extent.data.changes, 'change')}`}
        </Button>
      </div>
    </Dialog>
  );
}

/** What is still to be given; null when they can be deleted. */
function missingWords(given: {
  readonly isCounted: boolean;
  readonly because: string;
  readonly name: string;
  readonly typedName: string;
}): string | null {
  if (!given.isCounted) return 'What is lost is counted first.';
  if (given.because.trim() === '') return 'Say why; it goes into the decision journal.';
  return given.typedName.trim() === given.name ? null : `Type ${given.name} to confirm.`;
}
