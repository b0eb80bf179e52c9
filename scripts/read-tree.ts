import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the text files under the given folders and files, in the order of their names.
 *
 * A folder or file that is not there counts as empty.
 */
export function readTree(root: string, places: readonly string[], ending: RegExp): readonly SourceFile[] {
  return places
    .flatMap((place) => listFiles(root, place))
    .filter((path) => ending.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function listFiles(root: string, place: string): readonly string[] {
  let entries;
  try {
    entries = readdirSync(join(root, place), { withFileTypes: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return [place];
    if (code === 'ENOENT') return [];
    throw cause;
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${place}/${entry.name}`;
      return entry.isDirectory() ? listFiles(root, path) : [path];
    });
}
