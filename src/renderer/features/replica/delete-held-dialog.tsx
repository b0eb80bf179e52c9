import { useState } from 'react';

import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface DeleteHeldDialogProps {
  readonly what: string;
  readonly isBusy: boolean;
  readonly onConfirm: (because: string) => void;
  readonly onClose: () => void;
}

/** Asks why before held changes are gone for good. */
export function DeleteHeldDialog({ what, isBusy, onConfirm, onClose }: DeleteHeldDialogProps) {
  const [because, setBecause] = useState('');
  const reason = because.trim();
  return (
    <Dialog title="Delete held changes" onClose={onClose}>
      <p>
        {what}. They are gone from this replica for good, and the journal keeps who deleted what and why.
        Export them first where they may be wanted.
      </p>
      <label className="form-row">
        Why? It goes into the decision journal.
        <input
          className="input"
          type="text"
          autoComplete="off"
          value={because}
          onChange={(event) => {
            setBecause(event.target.value);
          }}
        />
      </label>
      <div className="dialog-foot">
        <Button tone="quiet" onClick={onClose}>
          Keep them
        </Button>
        <Button
          tone="danger"
          aria-disabled={reason === ''}
          busy={isBusy}
          onClick={() => {
            onConfirm(reason);
          }}
        >
          Delete them
        </Button>
      </div>
    </Dialog>
  );
}
