import { expect, test } from 'vitest';

import { findDocumentFaults } from '../../scripts/find-document-faults.ts';

interface Case {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly packages?: readonly string[];
  readonly expected: readonly string[];
}

const decision = '# 1\n\nStatus: accepted\n\n## Context\n## Options\n## Decision\n## Consequences\n';
const invariant = '# Invariants\n\n## SYNC-001 One\n\n[code](../src/a.ts) and [guard](../tests/a.test.ts)\n';

const cases: readonly Case[] = [
  {
    title: 'follows links to files and to headings',
    files: {
      'README.md':
        '[a](docs/a.md) [b](docs/a.md#two-words-and-more) [web](https://example.org) [c](#hi)\n# Hi',
      'docs/a.md': '## Two words, and more\n[back](../README.md)',
    },
    expected: [],
  },
  {
    title: 'finds a link to a file that is not there',
    files: { 'docs/a.md': '[b](b.md)' },
    expected: ['docs/a.md: the link to b.md leads nowhere'],
  },
  {
    title: 'finds a picture that is not there',
    files: { 'README.md': '<img src="docs/screens/fleet.png">' },
    expected: ['README.md: the link to docs/screens/fleet.png leads nowhere'],
  },
  {
    title: 'finds a link to a heading that is not there',
    files: { 'README.md': '[b](#what-it-is)\n# What it was' },
    expected: ['README.md: the link to #what-it-is leads nowhere'],
  },
  {
    title: 'takes nothing in code for a link',
    files: { 'README.md': 'Write `[a](b.md)`.\n\n```\n[a](b.md)\n```\n' },
    expected: [],
  },
  {
    title: 'is content with an invariant whose code and guard name it',
    files: {
      'docs/INVARIANTS.md': invariant,
      'src/a.ts': '// SYNC-001',
      'tests/a.test.ts': '// SYNC-001',
    },
    expected: [],
  },
  {
    title: 'finds an invariant that neither code nor guard names',
    files: { 'docs/INVARIANTS.md': invariant, 'src/a.ts': '', 'tests/a.test.ts': '// SYNC-002' },
    expected: [
      'docs/INVARIANTS.md: SYNC-001 links to no code that names it',
      'docs/INVARIANTS.md: SYNC-001 links to no test that names it',
    ],
  },
  {
    title: 'finds a number used twice and an invariant without end',
    files: {
      'docs/INVARIANTS.md': `${invariant}${'word '.repeat(120)}\n${invariant}`,
      'src/a.ts': 'SYNC-001',
      'tests/a.test.ts': 'SYNC-001',
    },
    expected: [
      'docs/INVARIANTS.md: SYNC-001 is there twice',
      'docs/INVARIANTS.md: SYNC-001 has 127 words (at most 120)',
    ],
  },
  {
    title: 'is content with a decision that has all its parts',
    files: { 'docs/decisions/0001-one-binary.md': decision },
    expected: [],
  },
  {
    title: 'finds a decision without a part, one without a number, and two with the same',
    files: {
      'docs/decisions/0001-one-binary.md': decision.replace('## Options', ''),
      'docs/decisions/0001-two-binaries.md': decision,
      'docs/decisions/plan.md': decision,
    },
    expected: [
      'docs/decisions/0001-one-binary.md: another decision has the number 0001',
      'docs/decisions/0001-one-binary.md: has no part "Options"',
      'docs/decisions/0001-two-binaries.md: another decision has the number 0001',
      'docs/decisions/plan.md: is not named NNNN-what-was-decided.md',
    ],
  },
  {
    title: 'finds a package without a reason',
    files: { 'docs/dependencies.md': '| `zod` | schemas |' },
    packages: ['zod', 'ws'],
    expected: ['docs/dependencies.md: does not say why ws is there'],
  },
];

test.for(cases)('findDocumentFaults $title', ({ files, packages = [], expected }) => {
  const documents = Object.entries(files)
    .filter(([path]) => path.endsWith('.md'))
    .map(([path, text]) => ({ path, text }));
  const exists = (path: string): boolean => path in files;
  expect(findDocumentFaults({ exists, read: (path) => files[path] ?? '', documents, packages })).toEqual(
    expected,
  );
});
