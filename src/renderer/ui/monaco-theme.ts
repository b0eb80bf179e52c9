import type { editor } from 'monaco-editor/editor/editor.api.js';

/** The tokens as a Monaco theme, so that the editor looks like the rest of the page. */
export function monacoThemeFromTokens(
  scheme: 'light' | 'dark',
  style: { readonly getPropertyValue: (name: string) => string },
): editor.IStandaloneThemeData {
  const token = (name: string): string => longHex(style.getPropertyValue(name).trim());
  const plain = (name: string): string => token(name).replace('#', '');
  return {
    base: scheme === 'dark' ? 'vs-dark' : 'vs',
    inherit: false,
    rules: [
      { token: '', foreground: plain('--text') },
      { token: 'keyword', foreground: plain('--accent') },
      { token: 'predefined', foreground: plain('--accent') },
      { token: 'operator', foreground: plain('--text') },
      { token: 'string', foreground: plain('--text') },
      { token: 'number', foreground: plain('--text') },
      { token: 'comment', foreground: plain('--text-3') },
    ],
    colors: {
      'editor.background': token('--surface'),
      'editor.foreground': token('--text'),
      'editorLineNumber.foreground': token('--text-3'),
      'editorLineNumber.activeForeground': token('--text-2'),
      'editorCursor.foreground': token('--accent'),
      'editor.selectionBackground': token('--selected'),
      'editor.inactiveSelectionBackground': token('--selected'),
      'diffEditor.removedLineBackground': token('--del-bg'),
      'diffEditor.insertedLineBackground': token('--add-bg'),
      'diffEditor.removedTextBackground': token('--del-mark'),
      'diffEditor.insertedTextBackground': token('--add-mark'),
      'diffEditorGutter.removedLineBackground': token('--del-bg'),
      'diffEditorGutter.insertedLineBackground': token('--add-bg'),
      'diffEditor.diagonalFill': token('--line'),
      'diffEditor.border': token('--line'),
      'editorWidget.background': token('--raised'),
      'editorWidget.foreground': token('--text'),
      'editorWidget.border': token('--line'),
      'menu.background': token('--raised'),
      'menu.foreground': token('--text'),
      'menu.selectionBackground': token('--selected'),
      'menu.selectionForeground': token('--text'),
      'scrollbarSlider.background': `${token('--line-strong')}55`,
      'scrollbarSlider.hoverBackground': `${token('--line-strong')}88`,
      'scrollbar.shadow': '#00000000',
      focusBorder: token('--accent'),
    },
  };
}

/** A minifier writes #fff for #ffffff; Monaco knows the long form only. */
function longHex(color: string): string {
  return /^#[0-9a-f]{3}$/i.test(color) ? color.replace(/[0-9a-f]/gi, '$&$&') : color;
}
