import type { Handlers } from '#shared/api/types.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { migrationSchema } from '#shared/wire/change-group-schema.ts';
import type { Migration } from '#shared/model/change-group.ts';
import type { CarriedMigrations } from '../store/carried-migrations.ts';
import { migrationFromJson, migrationToJson } from '../store/migration-json.ts';
import type { LocalMembers } from './local-members.ts';
import { onMember } from './on-member.ts';

type RehearsalMethod = 'replica.rehearse' | 'replica.rehearseArrival';

/** Rehearsals on one replica of this machine. */
export function createRehearsalHandlers(members: LocalMembers): Pick<Handlers, RehearsalMethod> {
  return {
    'replica.rehearse': ({ ref, sql }) =>
      onMember(members, ref, async (member) => {
        const run = await member.rehearse({ kind: 'writing', sql });
        if (!run.ok) return run;
        return ok({ rehearsal: run.value.rehearsal, carried: packCarried(run.value.carried) });
      }),
    'replica.rehearseArrival': ({ ref, carried }) =>
      onMember(members, ref, async (member) => {
        const read = readCarried(carried);
        if (!read.ok) return read;
        const run = await member.rehearse({ kind: 'arrival', carried: read.value });
        return run.ok ? ok(run.value.rehearsal) : run;
      }),
  };
}

const packCarried = ({ before, migrations }: CarriedMigrations): string =>
  JSON.stringify({ before: before.map(migrationToJson), migrations: migrations.map(migrationToJson) });

/** Reads what `packCarried` wrote; it came over a wire. */
function readCarried(
  text: string,
): Result<CarriedMigrations, { readonly code: 'copy-failed'; readonly message: string }> {
  try {
    const { before, migrations } = JSON.parse(text) as Readonly<Record<string, readonly string[]>>;
    return ok({ before: readMigrations(before), migrations: readMigrations(migrations) });
  } catch {
    const message = 'What was to be rehearsed cannot be read: the host that sent it is of another version.';
    return err({ code: 'copy-failed', message });
  }
}

const readMigrations = (bodies: readonly string[] = []): readonly Migration[] =>
  bodies.map((body) => migrationSchema.parse(migrationFromJson(body)));
