import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Verb and object. */
  readonly confirmLabel: string;
  /** What the other button says stays. */
  readonly stays: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that loses nothing and yet is not taken back with one click. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, stays, isBusy, onConfirm, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <div className="dialog-foot">
        <Button tone="quiet" onClick={onClose}>
          {stays}
        </Button>
        <Button tone="primary" busy={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
