import { formatStamp } from '#shared/model/hlc.ts';
import type { MigrationView } from '#shared/model/views.ts';
import type { Verdict } from '#shared/model/vocabulary.ts';

import { migrationFromJson } from './migration-json.ts';
import type { SiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';

interface ListedRow {
  readonly n: bigint;
  readonly body: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly admitted_ms: bigint;
  readonly via: bigint | null;
}

/** The history, the newest first. */
export function listMigrations(
  db: StoreDatabase,
  sites: SiteRegistry,
  filter: { readonly before?: number; readonly limit: number },
): readonly MigrationView[] {
  const rows = db
    .prepare(
      `select n, body, verdict, reason, admitted_ms, via from _concord_migration where n < ? order by n desc limit ?`,
    )
    .all(BigInt(filter.before ?? Number.MAX_SAFE_INTEGER), BigInt(filter.limit)) as ListedRow[];
  return rows.map((row) => {
    const migration = migrationFromJson(row.body);
    return {
      seq: Number(row.n),
      id: migration.id,
      type: migration.type,
      kind: migration.kind,
      object: migration.object,
      element: migration.element,
      hlc: formatStamp(migration.stamp),
      origin: migration.stamp.site,
      version: migration.version,
      ddl: migration.ddl,
      verdict: row.verdict,
      reason: row.reason,
      admittedAtMs: Number(row.admitted_ms),
      from: row.via === null ? null : sites.siteOf(Number(row.via)),
    };
  });
}
