import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The chosen theme and what it comes to now. */
export interface ThemeState {
  readonly theme: Theme;
  readonly scheme: 'light' | 'dark';
}

export interface ThemeControl {
  readonly read: () => ThemeState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly choose: (theme: Theme) => void;
}

const STORED_AS = 'concord.theme';

/**
 * Keeps the theme on the document: `data-theme` is the choice, `data-scheme` what it comes to. The choice is the
 * reader's own and stays in this browser; a browser that stores nothing starts with the system's each time.
 */
export function createThemeControl(window: Window): ThemeControl {
  const listeners = new Set<() => void>();
  const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
  let state = stateOf(readStored(window), prefersDark.matches);
  show(window.document, state);
  prefersDark.addEventListener('change', () => {
    set(state.theme);
  });

  return {
    read: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    choose: (theme) => {
      writeStored(window, theme);
      set(theme);
    },
  };

  function set(theme: Theme): void {
    state = stateOf(theme, prefersDark.matches);
    show(window.document, state);
    for (const listener of listeners) listener();
  }
}

export function useTheme(control: ThemeControl): ThemeState {
  return useSyncExternalStore(control.subscribe, control.read);
}

function stateOf(theme: Theme, prefersDark: boolean): ThemeState {
  const dark = theme === 'dark' || (theme === 'system' && prefersDark);
  return { theme, scheme: dark ? 'dark' : 'light' };
}

function show(document: Document, { theme, scheme }: ThemeState): void {
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.dataset['scheme'] = scheme;
}

function readStored(window: Window): Theme {
  try {
    const stored = window.localStorage.getItem(STORED_AS);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

function writeStored(window: Window, theme: Theme): void {
  try {
    window.localStorage.setItem(STORED_AS, theme);
  } catch {
    // Storage may be refused; the theme then holds for this page.
  }
}
