import { createContext, use, useState } from 'react';
import type { ReactNode } from 'react';

/** Whether the inspector lies over the content where both have no room beside each other; one answer for all screens. */
interface InspectorOpen {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

const InspectorOpenContext = createContext<InspectorOpen | null>(null);

export function InspectorOpenProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (): void => {
    setOpen((wasOpen) => !wasOpen);
  };
  return <InspectorOpenContext value={{ isOpen, toggle }}>{children}</InspectorOpenContext>;
}

export function useInspectorOpen(): InspectorOpen {
  const open = use(InspectorOpenContext);
  if (open === null) throw new Error('An inspector needs an InspectorOpenProvider above it');
  return open;
}
