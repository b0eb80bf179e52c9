import * as monaco from 'monaco-editor/editor/editor.api.js';
import 'monaco-editor/features/diffEditor/register.js';
import 'monaco-editor/features/contextmenu/register.js';
import 'monaco-editor/features/find/register.js';
import 'monaco-editor/features/hover/register.js';
import 'monaco-editor/features/codicon/register.js';
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker';
import { useEffect, useRef } from 'react';

import { useThemeState } from '../theme/theme-context.tsx';
import type { DiffProps } from './diff-view.tsx';
import { DDL_LANGUAGE, registerDdlLanguage } from './monaco-ddl-language.ts';
import { monacoThemeFromTokens } from './monaco-theme.ts';

const LINE_PX = 20;
const PADDING_PX = 6;
/** A definition longer than this scrolls inside the editor. */
const LINES_MAX = 28;

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
registerDdlLanguage(monaco.languages);

/** Two definitions in Monaco's diff editor, read-only, in the colours of the tokens. Default of the lazy chunk. */
export function MonacoDiff(props: DiffProps) {
  const { original, modified, originalLabel, modifiedLabel, isSideBySide, nextDifference } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneDiffEditor | null>(null);
  const { scheme } = useThemeState();

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const created = monaco.editor.createDiffEditor(element, OPTIONS);
    editor.current = created;
    return () => {
      editor.current = null;
      created.dispose();
    };
  }, []);

  useEffect(() => {
    const models = {
      original: monaco.editor.createModel(original, DDL_LANGUAGE),
      modified: monaco.editor.createModel(modified, DDL_LANGUAGE),
    };
    editor.current?.setModel(models);
    return () => {
      editor.current?.setModel(null);
      models.original.dispose();
      models.modified.dispose();
    };
  }, [original, modified]);

  useEffect(() => {
    // Together: an update without the names takes them away.
    const named: monaco.editor.IDiffEditorConstructionOptions = {
      renderSideBySide: isSideBySide,
      originalAriaLabel: originalLabel,
      modifiedAriaLabel: modifiedLabel,
    };
    editor.current?.updateOptions(named);
  }, [isSideBySide, originalLabel, modifiedLabel]);

  useEffect(() => {
    monaco.editor.defineTheme(
      'concord',
      monacoThemeFromTokens(scheme, window.getComputedStyle(document.documentElement)),
    );
    monaco.editor.setTheme('concord');
  }, [scheme]);

  useEffect(() => {
    if (nextDifference > 0) editor.current?.goToDiff('next');
  }, [nextDifference]);

  return (
    <div ref={host} className="monaco-diff" style={{ height: heightPx(original, modified, isSideBySide) }} />
  );
}

const OPTIONS: monaco.editor.IStandaloneDiffEditorConstructionOptions = {
  automaticLayout: true,
  readOnly: true,
  originalEditable: false,
  renderSideBySide: true,
  useInlineViewWhenSpaceIsLimited: false,
  enableSplitViewResizing: false,
  renderOverviewRuler: false,
  renderMarginRevertIcon: false,
  renderGutterMenu: false,
  renderIndicators: true,
  minimap: { enabled: false },
  lineHeight: LINE_PX,
  fontSize: 12,
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 18,
  bracketPairColorization: { enabled: false },
  matchBrackets: 'never',
  folding: false,
  glyphMargin: false,
  scrollBeyondLastLine: false,
  renderLineHighlight: 'none',
  overviewRulerLanes: 0,
  hideCursorInOverviewRuler: true,
  guides: { indentation: false },
  padding: { top: PADDING_PX, bottom: PADDING_PX },
  scrollbar: { alwaysConsumeMouseWheel: false, horizontalScrollbarSize: 8, verticalScrollbarSize: 8 },
  // Tab goes on to the next thing on the page, as everywhere: nothing is typed here.
  tabFocusMode: true,
  wordWrap: 'off',
};

function heightPx(original: string, modified: string, isSideBySide: boolean): number {
  const lines = [original, modified].map((text) => text.split('\n').length);
  const needed = isSideBySide ? Math.max(...lines) : lines.reduce((sum, count) => sum + count, 0);
  return Math.min(needed, LINES_MAX) * LINE_PX + 2 * PADDING_PX;
}
