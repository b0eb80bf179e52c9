import type { SourceFile } from './read-tree.ts';

/** ESLint judges the length of TypeScript; this is for the files that it does not read. */
const LINES_MAX = 400;

/** Files whose name is fixed by those who start them, or that gather one small thing each of many kinds. */
const FREE_NAMES =
  /(^|\/)(index|main|headless|ports|types|envelope)[.]tsx?$|[.](test|spec)[.]tsx?$|[.]d[.]ts$/;

const VAGUE_FOLDER = /\/(utils?|helpers?|common|misc|lib)\//;

/** Words that join, or that tell the part a file plays beside others. */
const MEANS_LITTLE = new Set(['to', 'of', 'and', 'from', 'for', 'by', 'is', 'has', 'a', 'model']);

const EXPORTED_NAME = /^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm;
const EXPORTED_FUNCTION = /^export (?:(?:async )?function\b|const \w+[^=\n]*= (?:async )?(?:<[^>]*>)?\()/m;

// Built from halves, so that this file does not find itself.
const LATER = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'];
const LEFTOVERS: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: new RegExp(`\\b(${LATER.join('|')})\\b`),
    message: 'a note to do something later: do it, or file it',
  },
  {
    pattern: new RegExp('\\b(test|it|describe)[.](' + 'only|skip|todo|fails)\\('),
    message: 'a test that is switched off or alone',
  },
  { pattern: new RegExp(`^(${'<'.repeat(7)}|${'>'.repeat(7)}) `, 'm'), message: 'a conflict marker' },
  { pattern: new RegExp('^\\s*debug' + 'ger;', 'm'), message: 'a stop for the debugger' },
];

/** Tells what is untidy about one file, a sentence each. An empty list is praise. */
export function findUntidiness(file: SourceFile): readonly string[] {
  return [
    ...judgeName(file.path),
    ...judgeMainExport(file),
    ...judgeLength(file),
    ...LEFTOVERS.filter(({ pattern }) => pattern.test(file.text)).map(({ message }) => `has ${message}`),
  ];
}

function judgeName(path: string): readonly string[] {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const found: string[] = [];
  if (!/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(base)) found.push('is not named in kebab-case');
  if (VAGUE_FOLDER.test(path))
    found.push('lies in a folder whose name says nothing; name it after its subject');
  return found;
}

/** A file with behaviour shares a word with one of its exports; one with types and schemas alone may take any noun. */
function judgeMainExport({ path, text }: SourceFile): readonly string[] {
  if (!/^(src|scripts)\/.*[.]tsx?$/.test(path) || FREE_NAMES.test(path)) return [];
  if (!EXPORTED_FUNCTION.test(text)) return [];
  const names = [...text.matchAll(EXPORTED_NAME)].map((match) => match[1] ?? '');
  const words = toWords(path.slice(path.lastIndexOf('/') + 1).replace(/[.]tsx?$/, ''));
  const isNamed = names.some((name) => areRelated(words, toWords(name)));
  return isNamed ? [] : [`is not named after one of its exports (${[...new Set(names)].join(', ')})`];
}

/** `disturbed-link` and `disturbLink` are related, and so are `ids` and `isId`: a word of one begins one of the other. */
function areRelated(a: readonly string[], b: readonly string[]): boolean {
  const isKin = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);
  return a.some((one) => b.some((other) => isKin(one, other)));
}

function toWords(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-._]/)
    .filter((word) => !MEANS_LITTLE.has(word))
    .map((word) => word.replace(/ies$/, 'y'));
}

function judgeLength({ path, text }: SourceFile): readonly string[] {
  if (/[.]tsx?$/.test(path)) return [];
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  return lines > LINES_MAX ? [`has ${lines} lines; split it (at most ${LINES_MAX})`] : [];
}
