import type { languages } from 'monaco-editor/editor/editor.api.js';

import { DDL_KEYWORDS } from './ddl-model.ts';

/** Our DDL as Monaco sees it: the same keywords as everywhere else, so both pictures of a text are alike. */
export const DDL_LANGUAGE = 'concord-ddl';

/** Registers the language once; a second call changes nothing. */
export function registerDdlLanguage(registry: typeof languages): void {
  if (registry.getLanguages().some(({ id }) => id === DDL_LANGUAGE)) return;
  registry.register({ id: DDL_LANGUAGE });
  registry.setMonarchTokensProvider(DDL_LANGUAGE, GRAMMAR);
  registry.setLanguageConfiguration(DDL_LANGUAGE, { comments: { lineComment: '--' } });
}

const GRAMMAR: languages.IMonarchLanguage = {
  ignoreCase: true,
  keywords: [...DDL_KEYWORDS],
  tokenizer: {
    root: [
      [/"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/, 'identifier'],
      [/'(?:[^']|'')*'/, 'string'],
      [/--.*$/, 'comment'],
      [/[a-z_]\w*/, { cases: { '@keywords': 'keyword', '@default': 'identifier' } }],
      [/\d+(?:\.\d+)?/, 'number'],
    ],
  },
};
