import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';

import { IconButton } from './button.tsx';
import { useNotify } from './notifications.tsx';

/** Copies a text and says so. `what` names it in the notice: "the site ID". */
export function useCopy(): (text: string, what: string) => void {
  const notify = useNotify();
  return (text, what) => {
    navigator.clipboard.writeText(text).then(
      () => {
        notify({ tone: 'done', text: `Copied ${what}.` });
      },
      () => {
        notify({
          tone: 'failed',
          text: `The browser does not let the console copy. Select ${what} and copy it by hand.`,
        });
      },
    );
  };
}

const CHECK_SHOWN_MS = 1500;

/** A small button that copies a text; for a moment it shows that it did. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const copy = useCopy();
  const [isDone, setDone] = useState(false);
  const timer = useRef<number | undefined>(undefined);
  return (
    <IconButton
      label={`Copy ${what}`}
      icon={isDone ? Check : Copy}
      onClick={() => {
        copy(text, what);
        setDone(true);
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(() => {
          setDone(false);
        }, CHECK_SHOWN_MS);
      }}
    />
  );
}
