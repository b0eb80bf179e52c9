// `npm run docs:check`: links resolve, invariants have code and guard, decisions have their form.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findDocumentFaults } from './find-document-faults.ts';
import { readTree } from './read-tree.ts';

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as PackageJson;

const faults = findDocumentFaults({
  exists: (path) => existsSync(join(root, path)),
  read,
  documents: readTree(root, ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs'], /[.]md$/),
  packages: Object.keys({ ...dependencies, ...devDependencies }),
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
