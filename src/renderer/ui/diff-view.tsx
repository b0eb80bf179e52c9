import { Suspense, createContext, lazy, use } from 'react';
import type { ComponentType } from 'react';

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

/** What draws a diff: Monaco, unless a test without layout brings the plain text. */
const DiffRendererContext = createContext<ComponentType<DiffProps>>(MonacoDiff);

export const DiffRendererProvider = DiffRendererContext.Provider;

/** The one door to Monaco. It comes in its own chunk; until it is there, and should it fail, the text stands there. */
export function DiffView(props: DiffProps) {
  const Renderer = use(DiffRendererContext);
  const plain = <TextDiff {...props} />;
  return (
    <ErrorBoundary fallback={() => plain}>
      <Suspense fallback={plain}>
        <Renderer {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
