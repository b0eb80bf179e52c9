import type { StoryPools } from './convergence-steps.ts';

const PLAIN = '(id INTEGER PRIMARY KEY, a TEXT, b)';

/** Worlds of stories, from plain rows to everything at once. */
export const POOLS = {
  rows: {
    tables: ['t'],
    shapes: [PLAIN],
    added: [],
    indexes: [],
    columns: ['a', 'b'],
    moves: true,
    drops: false,
    steps: 60,
  },
  keys: {
    tables: ['t', 'u'],
    shapes: [
      '(id TEXT PRIMARY KEY COLLATE NOCASE, a, b) WITHOUT ROWID',
      '(id TEXT PRIMARY KEY, a, b)',
      PLAIN,
    ],
    added: [],
    indexes: [],
    columns: ['a', 'b'],
    moves: true,
    drops: false,
    steps: 60,
  },
  schema: {
    tables: ['t', 'u'],
    shapes: [PLAIN],
    added: ['c TEXT', "d TEXT DEFAULT 'dd'"],
    indexes: ['CREATE INDEX i ON {t} (a)', 'CREATE INDEX i_{t} ON {t} (a, b)'],
    columns: ['a', 'b', 'c', 'd'],
    moves: true,
    drops: true,
    steps: 70,
  },
  divergent: {
    tables: ['t'],
    shapes: [
      PLAIN,
      '(id INTEGER PRIMARY KEY, a, c TEXT)',
      "(id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT 'x', b)",
    ],
    added: [],
    indexes: [],
    columns: ['a', 'b', 'c'],
    moves: true,
    drops: false,
    steps: 60,
  },
  divergentDrops: {
    tables: ['t', 'u'],
    shapes: [PLAIN, '(id INTEGER PRIMARY KEY, a, c TEXT)'],
    added: [],
    indexes: [],
    columns: ['a', 'b', 'c'],
    moves: true,
    drops: true,
    steps: 60,
  },
  everything: {
    tables: ['t', 'u'],
    shapes: [
      PLAIN,
      '(id INTEGER PRIMARY KEY, a, c TEXT)',
      '(id TEXT PRIMARY KEY COLLATE NOCASE, a, b) WITHOUT ROWID',
    ],
    added: ['c TEXT', 'c INTEGER', "d TEXT DEFAULT 'dd'"],
    indexes: ['CREATE INDEX i ON {t} (a)', 'CREATE INDEX i_{t} ON {t} (a, b)'],
    columns: ['a', 'b', 'c', 'd'],
    moves: true,
    drops: true,
    steps: 70,
  },
} satisfies Readonly<Record<string, StoryPools>>;
