import { useEffect, useRef } from 'react';

import { extendSequence, isTypedInto, shortcutOf } from './shortcut-model.ts';

/** What keys do: `g f` is a sequence, `mod+k` holds Ctrl or Cmd. */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Listens while the caller is on the screen. Single keys are left to fields that are typed into, and to a dialog that
 * lies over the screen; those with `mod` work there too.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    let sequence: readonly string[] = [];
    const press = (event: KeyboardEvent): void => {
      const key = shortcutOf(event);
      if (key === null || event.defaultPrevented) return;
      if (!key.startsWith('mod+') && isTakenElsewhere(event.target)) return;
      const step = extendSequence({ sequence, key, known: Object.keys(latest.current) });
      sequence = step.sequence;
      const run = step.matched === null ? undefined : latest.current[step.matched];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('keydown', press);
    };
  }, []);
}

function isTakenElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && isTypedInto(target);
}
