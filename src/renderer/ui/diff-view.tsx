import { Suspense, createContext, lazy, use } from 'react';
import type { ReactNode } from 'react';

import { ErrorBoundary } from './error-boundary.tsx';
import { TextDiff } from './text-diff.tsx';

/** Two texts beside each other, and what they are called when read aloud. */
export interface DiffProps {
  readonly original: string;
  readonly modified: string;
  readonly originalLabel: string;
  readonly modifiedLabel: string;
  readonly isSideBySide: boolean;
  /** Raised by one to go to the next difference. */
  readonly nextDifference: number;
}

const MonacoDiff = lazy(async () => ({ default: (await import('./monaco-diff.tsx')).MonacoDiff }));

type DiffRenderer = (props: DiffProps) => ReactNode;

/** What draws a diff: Monaco, unless a test without layout brings the plain text. */
const DiffRendererContext = createContext<DiffRenderer>((props) => <MonacoDiff {...props} />);

export const DiffRendererProvider = DiffRendererContext.Provider;

/** The one door to Monaco. It comes in its own chunk; until it is there, and should it fail, the text stands there. */
export function DiffView(props: DiffProps) {
  const renderDiff = use(DiffRendererContext);
  const plain = <TextDiff {...props} />;
  return (
    <ErrorBoundary fallback={() => plain}>
      <Suspense fallback={plain}>{renderDiff(props)}</Suspense>
    </ErrorBoundary>
  );
}
