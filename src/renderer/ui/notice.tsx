import { TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

import { Button } from './button.tsx';
import { useNowMs } from './clock.tsx';
import { useCopy } from './copy-button.tsx';
import { failureWords } from './failure-words.ts';
import { lengthOfTime } from './words-model.ts';
import './notice.css';

/** Nothing is here: one sentence, why, and at most one button. */
export function EmptyNotice({
  children,
  action,
}: {
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="notice">
      <p>{children}</p>
      {action}
    </div>
  );
}

interface FailedNoticeProps {
  readonly error: unknown;
  /** What could not be shown, as the start of a sentence: "The catalog". */
  readonly what: string;
  readonly onRetry: () => void;
}

/** Stands in place of the part that failed: what, why, next step. */
export function FailedNotice({ error, what, onRetry }: FailedNoticeProps) {
  const copy = useCopy();
  const words = failureWords(error);
  return (
    <div className="notice notice-failed st-blocked" role="alert">
      <p>
        <TriangleAlert className="icon in-state" size={14} aria-hidden /> <b>{what} cannot be shown.</b>{' '}
        {words.why} {words.next}
      </p>
      <div className="button-row">
        <Button onClick={onRetry}>Try again</Button>
        <Button
          tone="quiet"
          onClick={() => {
            copy(words.details, 'the details');
          }}
        >
          Copy details
        </Button>
      </div>
    </div>
  );
}

/** Up to this long nothing is drawn: most answers come sooner and would only flicker. */
const BLANK_MS = 100;
/** After this long one is told what is being waited for. */
const PATIENCE_MS = 2000;

interface ReadingNoticeProps {
  /** What is being read, as in "Reading the catalog". */
  readonly what: string;
  readonly rows?: number;
}

/** Grey bars of the right height while something is read; after two seconds a line says what for and how long. */
export function ReadingNotice({ what, rows = 6 }: ReadingNoticeProps) {
  const isBlank = !useElapsed(BLANK_MS);
  return (
    <div className="reading" role="status" aria-label={`Reading ${what}`}>
      {!isBlank &&
        Array.from({ length: rows }, (_, index) => <div key={index} className="reading-bar" aria-hidden />)}
      {!isBlank && <PatienceLine what={what} />}
    </div>
  );
}

function PatienceLine({ what }: { readonly what: string }) {
  const nowMs = useNowMs();
  const [sinceMs] = useState(nowMs);
  const waitedMs = nowMs - sinceMs;
  if (waitedMs < PATIENCE_MS) return null;
  return (
    <p className="dim small">
      Reading {what}. Waiting for the host for {lengthOfTime(waitedMs)}.
    </p>
  );
}

function useElapsed(delayMs: number): boolean {
  const [isElapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      setElapsed(true);
    }, delayMs);
    return () => {
      window.clearTimeout(timer);
    };
  }, [delayMs]);
  return isElapsed;
}
