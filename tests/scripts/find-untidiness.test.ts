import { expect, test } from 'vitest';

import { findUntidiness } from '../../scripts/find-untidiness.ts';

interface Case {
  readonly title: string;
  readonly path: string;
  readonly text?: string;
  readonly expected: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: 'praises a file named after the function it exports',
    path: 'src/main/engine/decide-admission.ts',
    text: 'export type Verdict = 1;\nexport function decideAdmission(): void {}\n',
    expected: [],
  },
  {
    title: 'takes a form of a word of the export for its name',
    path: 'src/shared/model/ids.ts',
    text: 'export const isId = (text: string): boolean => true;\n',
    expected: [],
  },
  {
    title: 'takes many of a thing for its name',
    path: 'src/renderer/features/replica/replica-queries.ts',
    text: 'export const heldQuery = (ref: string): string => ref;\n',
    expected: [],
  },
  {
    title: 'lets a file of types alone have any noun',
    path: 'src/shared/model/vocabulary.ts',
    text: 'export interface Peer { readonly name: string }\n',
    expected: [],
  },
  {
    title: 'finds a function under a foreign name',
    path: 'src/main/engine/merge.ts',
    text: 'export function decideAdmission(): void {}\n',
    expected: ['is not named after one of its exports (decideAdmission)'],
  },
  {
    title: 'finds an arrow function under a foreign name',
    path: 'src/main/engine/merge.ts',
    text: 'export const toText = (row: Row): string => row.text;\n',
    expected: ['is not named after one of its exports (toText)'],
  },
  { title: 'finds camel case', path: 'src/main/readRow.ts', expected: ['is not named in kebab-case'] },
  {
    title: 'finds a folder that says nothing',
    path: 'src/main/utils/read-row.ts',
    expected: ['lies in a folder whose name says nothing; name it after its subject'],
  },
  {
    title: 'finds a note to do something later',
    path: 'src/main/read-row.ts',
    text: `// ${'TO' + 'DO'}: read it\n`,
    expected: ['has a note to do something later: do it, or file it'],
  },
  {
    title: 'finds a test that runs alone',
    path: 'tests/a.test.ts',
    text: ['test', "only('it', () => {});"].join('.'),
    expected: ['has a test that is switched off or alone'],
  },
  {
    title: 'finds a conflict marker',
    path: 'src/main/read-row.ts',
    text: `a\n${'<'.repeat(7)} ours\n`,
    expected: ['has a conflict marker'],
  },
  {
    title: 'finds a stylesheet without end, and does not count blank lines',
    path: 'src/renderer/theme/tokens.css',
    text: 'a {}\n\n'.repeat(401),
    expected: ['has 401 lines; split it (at most 400)'],
  },
];

test.for(cases)('findUntidiness $title', ({ path, text = '', expected }) => {
  expect(findUntidiness({ path, text })).toEqual(expected);
});
