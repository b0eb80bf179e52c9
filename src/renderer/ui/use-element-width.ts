import { useCallback, useState } from 'react';
import type { RefCallback } from 'react';

/** The width of an element in pixels, kept up as it changes. `initialPx` stands until it was measured. */
export function useElementWidth(initialPx: number): readonly [RefCallback<HTMLElement>, number] {
  const [widthPx, setWidthPx] = useState(initialPx);
  // A callback rather than an effect: the element may come and go while the caller stays.
  const observe = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver((entries) => {
      const width = entries[0]?.contentRect.width ?? 0;
      if (width > 0) setWidthPx(Math.round(width));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [observe, widthPx];
}
