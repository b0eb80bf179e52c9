import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormFailed } from './form-parts.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** What the other button says stays. */
  readonly stays: string;
  /** Verb and object; while busy its words change and the form takes no second answer. */
  readonly submitLabel: string;
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  readonly error: Error | null;
  /** What did not happen, as a sentence. */
  readonly failed: string;
  /** A further button between the two. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/** A dialog with fields, one primary button, and the failure in words above it. */
export function FormDialog(props: FormDialogProps) {
  const { title, onClose, isReady, isBusy, onSubmit, error, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) onSubmit();
        }}
      >
        {children}
        {error !== null && <FormFailed error={error} what={props.failed} />}
        <div className="dialog-foot">
          <Button tone="quiet" onClick={onClose}>
            {props.stays}
          </Button>
          {props.more}
          <Button tone="primary" type="submit" busy={isBusy} aria-disabled={!isReady}>
            {props.submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
