import type { Migration } from '#shared/model/change-group.ts';

const BIG = /^(-?\d+)n$/;

/** JSON of a migration; integers of 64 bits as text with an `n` behind. */
export const migrationToJson = (migration: Migration): string =>
  JSON.stringify(migration, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value.toString()}n` : value,
  );

// A decision about one migration of a table looks at all of them, several times over.
const migrationByBody = new Map<string, Migration>();

/** Bounds memory. */
const KEPT_MAX = 500;

/** Reads what `migrationToJson` wrote. */
export function migrationFromJson(body: string): Migration {
  const known = migrationByBody.get(body);
  if (known !== undefined) return known;
  const migration = readMigration(body);
  if (migrationByBody.size >= KEPT_MAX) migrationByBody.clear();
  migrationByBody.set(body, migration);
  return migration;
}

function readMigration(body: string): Migration {
  // Only stamps and version vectors hold such text: names and DDL never stand at these places.
  const raw = JSON.parse(body) as Migration & { readonly stamp: { readonly hlc: unknown } };
  return {
    ...raw,
    stamp: { site: raw.stamp.site, hlc: bigOf(raw.stamp.hlc) },
    knew: Object.fromEntries(Object.entries(raw.knew).map(([site, hlc]) => [site, bigOf(hlc)])),
  };
}

function bigOf(value: unknown): bigint {
  const digits = BIG.exec(String(value))?.[1];
  if (digits === undefined) throw new Error(`A recorded migration holds no HLC but ${String(value)}.`);
  return BigInt(digits);
}
