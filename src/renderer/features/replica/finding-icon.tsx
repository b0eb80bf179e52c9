import { EqualApproximately, TriangleAlert } from 'lucide-react';

import type { FindingView } from '#shared/model/views.ts';

/** Drift is harmless and looks like it; other findings ask for a glance. */
export function FindingIcon({ kind }: { readonly kind: FindingView['kind'] }) {
  if (kind === 'drift')
    return <EqualApproximately className="icon in-state st-drift" size={14} aria-hidden />;
  return <TriangleAlert className="icon in-state st-held" size={14} aria-hidden />;
}
