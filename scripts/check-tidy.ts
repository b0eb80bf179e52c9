// `npm run tidy`: file names match exports, no vague folders, no leftovers, no endless files.
import { join } from 'node:path';

import { readTree } from './read-tree.ts';
import { findUntidiness } from './find-untidiness.ts';

const root = join(import.meta.dirname, '..');
const files = readTree(root, ['src', 'scripts', 'bench', 'tests'], /[.](tsx?|mjs|css)$/);
const complaints = files.flatMap((file) => findUntidiness(file).map((what) => `${file.path} ${what}`));
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;
