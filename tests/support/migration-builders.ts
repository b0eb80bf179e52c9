import type { KnownMigration } from '#main/engine/migration/group-lives.ts';
import { registerOf } from '#main/engine/migration/register.ts';
import { migrationId, siteId } from './ids.ts';

/**
 * A migration that site `site` wrote at time `at`, knowing of others what `knew` says: site number to time.
 * Its ID is made of both, so that two of them never share one.
 */
export function aKnownMigration(
  parts: Partial<Omit<KnownMigration, 'knew' | 'stamp'>> & {
    readonly at: number;
    readonly site?: number;
    readonly knew?: Readonly<Record<number, number>>;
  },
): KnownMigration {
  const { at, site = 1, knew = {}, type = 'create_index', ...rest } = parts;
  return {
    id: migrationId(site * 256 + at),
    type,
    register: type === 'alter_column' ? 'default' : registerOf(type),
    stamp: { hlc: BigInt(at), site: siteId(site) },
    knew: Object.fromEntries(
      Object.entries(knew).map(([known, time]) => [siteId(Number(known)), BigInt(time)]),
    ),
    subject: null,
    unifies: [],
    ...rest,
  };
}
