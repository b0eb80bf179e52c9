import { posix } from 'node:path';

import type { SourceFile } from './read-tree.ts';

/** What the rules need to know of the repository beside the documents themselves. */
export interface Repository {
  readonly exists: (path: string) => boolean;
  readonly read: (path: string) => string;
  readonly documents: readonly SourceFile[];
  /** Names of the packages in package.json. */
  readonly packages: readonly string[];
}

const INVARIANT_WORDS_MAX = 120;
const DECISION_PARTS = ['Status', 'Context', 'Options', 'Decision', 'Consequences'];

/** Tells what is wrong in the documents: dead links, invariants without a guard, decisions without a part. */
export function findDocumentFaults(repository: Repository): readonly string[] {
  return repository.documents.flatMap((document) => {
    const faults = [
      ...findDeadLinks(document, repository),
      ...(document.path === 'docs/INVARIANTS.md' ? judgeInvariants(document, repository) : []),
      ...(document.path.startsWith('docs/decisions/') ? judgeDecision(document, repository) : []),
      ...(document.path === 'docs/dependencies.md' ? findUnexplained(document, repository) : []),
    ];
    return faults.map((fault) => `${document.path}: ${fault}`);
  });
}

function findDeadLinks(document: SourceFile, repository: Repository): readonly string[] {
  return linksIn(document)
    .filter(({ path, anchor }) => {
      if (!repository.exists(path)) return true;
      return anchor !== '' && path.endsWith('.md') && !anchorsIn(repository.read(path)).has(anchor);
    })
    .map(({ target }) => `the link to ${target} leads nowhere`);
}

interface Link {
  readonly target: string;
  readonly path: string;
  readonly anchor: string;
}

/** The links of a document that stay in the repository, resolved from where the document lies. */
function linksIn(document: SourceFile): readonly Link[] {
  const targets = [...withoutCode(document.text).matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href)="([^"]+)"/g)];
  return targets
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      const path = file === '' ? document.path : posix.join(posix.dirname(document.path), decodeURI(file));
      return { target, path, anchor };
    });
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The anchors that a reader of the rendered page can jump to, formed as GitHub forms them. */
function anchorsIn(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ +(.*)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

/** Each `## AREA-001 …` links to the code that keeps it and to the test that guards it; both name its number. */
function judgeInvariants(document: SourceFile, repository: Repository): readonly string[] {
  const sections = document.text.split(/^## /m).slice(1);
  const numbers = sections.map((section) => /^[A-Z]+-\d{3}\b/.exec(section)?.[0]);
  const twice = numbers.filter((number, i) => number !== undefined && numbers.indexOf(number) !== i);
  return [
    ...twice.map((number) => `${number ?? ''} is there twice`),
    ...sections.flatMap((section, i) => {
      const number = numbers[i];
      if (number === undefined) return [];
      return judgeInvariant(number, section, (path) => readLinked(document, section, { path, repository }));
    }),
  ];
}

function judgeInvariant(
  number: string,
  section: string,
  readAll: (folder: string) => readonly string[],
): readonly string[] {
  const faults: string[] = [];
  const words = section.trim().split(/\s+/).length;
  if (words > INVARIANT_WORDS_MAX)
    faults.push(`${number} has ${words} words (at most ${INVARIANT_WORDS_MAX})`);
  if (!readAll('src/').some((text) => text.includes(number)))
    faults.push(`${number} links to no code that names it`);
  if (!readAll('tests/').some((text) => text.includes(number)))
    faults.push(`${number} links to no test that names it`);
  return faults;
}

function readLinked(
  document: SourceFile,
  section: string,
  where: { readonly path: string; readonly repository: Repository },
): readonly string[] {
  return linksIn({ path: document.path, text: section })
    .filter(({ path }) => path.startsWith(where.path) && where.repository.exists(path))
    .map(({ path }) => where.repository.read(path));
}

function judgeDecision(document: SourceFile, repository: Repository): readonly string[] {
  const name = posix.basename(document.path);
  const number = /^\d{4}(?=-[a-z0-9-]+[.]md$)/.exec(name)?.[0];
  if (number === undefined) return ['is not named NNNN-what-was-decided.md'];
  const namesakes = repository.documents.filter(({ path }) => path.startsWith(`docs/decisions/${number}-`));
  const missing = DECISION_PARTS.filter(
    (part) => !new RegExp(`^(#+ |\\*\\*)?${part}\\b`, 'm').test(document.text),
  );
  return [
    ...(namesakes.length > 1 ? [`another decision has the number ${number}`] : []),
    ...missing.map((part) => `has no part "${part}"`),
  ];
}

function findUnexplained(document: SourceFile, repository: Repository): readonly string[] {
  return repository.packages
    .filter((name) => !document.text.includes(`\`${name}\``))
    .map((name) => `does not say why ${name} is there`);
}
