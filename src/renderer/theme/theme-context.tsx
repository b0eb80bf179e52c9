import { createContext, use } from 'react';
import type { ReactNode } from 'react';

import { useTheme } from './theme.ts';
import type { ThemeControl, ThemeState } from './theme.ts';

const ThemeContext = createContext<ThemeControl | null>(null);

export function ThemeProvider(props: { readonly control: ThemeControl; readonly children: ReactNode }) {
  return <ThemeContext value={props.control}>{props.children}</ThemeContext>;
}

/** The control over light and dark. */
export function useThemeControl(): ThemeControl {
  const control = use(ThemeContext);
  if (control === null) throw new Error('A view needs a ThemeProvider above it');
  return control;
}

export function useThemeState(): ThemeState {
  return useTheme(useThemeControl());
}
