import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** Up to this many entries all are drawn: virtual rows cost find-in-page and gain nothing below it. */
const PLAIN_MAX = 100;
const OVERSCAN = 12;
/** Before the first measurement, and where there is no layout at all. */
const INITIAL_RECT = { width: 800, height: 600 };

export interface RowWindow {
  /** First entry drawn, and the first no longer drawn. */
  readonly start: number;
  readonly end: number;
  readonly abovePx: number;
  readonly belowPx: number;
  readonly scrollToIndex: (index: number) => void;
}

/** Which entries of a long list to draw, and how much room the others take. Rows of different heights are all drawn. */
export function useVirtualRows(options: {
  readonly count: number;
  readonly rowPx: number;
  readonly hasOneHeight: boolean;
  readonly scroller: RefObject<HTMLElement | null>;
}): RowWindow {
  const { count, rowPx, hasOneHeight, scroller } = options;
  const isPlain = count <= PLAIN_MAX || !hasOneHeight;
  // eslint-disable-next-line react-hooks/incompatible-library -- No compiler memoizes here; the hook redraws its caller itself.
  const virtualizer = useVirtualizer({
    count,
    enabled: !isPlain,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    initialRect: INITIAL_RECT,
  });
  if (isPlain) {
    return { start: 0, end: count, abovePx: 0, belowPx: 0, scrollToIndex: scrollPlain };
  }
  const items = virtualizer.getVirtualItems();
  const start = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  return {
    start,
    end,
    abovePx: start * rowPx,
    belowPx: (count - end) * rowPx,
    scrollToIndex: (index) => {
      virtualizer.scrollToIndex(index);
    },
  };

  function scrollPlain(index: number): void {
    const row = scroller.current?.querySelectorAll('tbody > tr')[index];
    row?.scrollIntoView({ block: 'nearest' });
  }
}
