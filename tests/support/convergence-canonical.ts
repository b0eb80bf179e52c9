import Database from 'better-sqlite3';

import { canonicalStatement } from '#main/sql/canonical-statement.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';

import type { TestReplica } from './replica-world.ts';

/**
 * Where the canonical form is not stable, in sentences: every text is read back as it is written, and an empty database
 * on which all of them were run has the same texts.
 */
export function canonicalFaults(replica: TestReplica): readonly string[] {
  const objects = replica
    .core()
    .catalog()
    .objects.filter(({ isParked }) => !isParked);
  const ordered = KINDS.flatMap((kind) => objects.filter((object) => object.kind === kind));
  const db = new Database(':memory:');
  try {
    for (const { ddl } of ordered) db.exec(ddl);
    return ordered.flatMap(({ kind, name, ddl }) => {
      const stored = db
        .prepare<[string, string], string>('select sql from sqlite_schema where type = ? and name = ?')
        .pluck()
        .get(kind, name);
      return [ddl, stored ?? ''].flatMap((text) => unstable(ddl, text));
    });
  } catch (cause) {
    return [`the canonical catalog does not run: ${cause instanceof Error ? cause.message : String(cause)}`];
  } finally {
    db.close();
  }
}

/** Tables first, then what stands on them. */
const KINDS = ['table', 'index', 'view', 'trigger'] as const;

function unstable(canonical: string, text: string): readonly string[] {
  const parsed = parseDdl(text);
  if (!parsed.ok) return [`canonical text that cannot be read: ${text}`];
  const again = canonicalStatement(parsed.value);
  return again === canonical ? [] : [`canonical text is not stable: ${canonical} becomes ${again}`];
}
