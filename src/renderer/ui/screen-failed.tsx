import { TriangleAlert } from 'lucide-react';

import { FailedNotice } from './notice.tsx';
import { TopLine } from './verdict-line.tsx';

/** A whole screen that could not be read: its sentence, and in place of its content what to do. */
export function ScreenFailed(props: {
  readonly what: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  return (
    <>
      <TopLine icon={TriangleAlert} className="st-blocked">
        <h1>{props.what} cannot be shown.</h1>
      </TopLine>
      <FailedNotice {...props} />
    </>
  );
}
