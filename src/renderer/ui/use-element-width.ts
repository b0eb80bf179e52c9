import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** The width of an element in pixels, kept up as it changes. `initialPx` stands until it was measured. */
export function useElementWidth<E extends HTMLElement>(
  initialPx: number,
): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [widthPx, setWidthPx] = useState(initialPx);
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return undefined;
    const observer = new ResizeObserver((entries) => {
      const width = entries[0]?.contentRect.width ?? 0;
      if (width > 0) setWidthPx(Math.round(width));
    });
    observer.observe(observed);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [element, widthPx];
}
