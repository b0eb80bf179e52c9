import type { MigrationView } from '#shared/model/views.ts';
import { MigrationType, Verdict } from '#shared/model/vocabulary.ts';
import type { Result } from '#shared/result.ts';
import type { MigrationFilter } from '../replica/replica.ts';
import { done, notUnderstood, type CommandFailure, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { readFleet } from './find-replica.ts';
import { withDesk } from './open-desk.ts';
import { readPage, type PageOptions } from './page-options.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

interface HistoryOptions extends PageOptions {
  readonly object?: string;
  readonly verdict?: string;
  readonly type?: string;
}

/** `concord migrations REPLICA`, or `history`: its schema changes, own and admitted, the newest first. */
export const addMigrationsCommand: AddSubcommand = (program, run) => {
  program
    .command('migrations')
    .alias('history')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('list the schema changes of a replica with what it decided about each, the newest first')
    .option('--object <name>', 'only those of this table, index, view or trigger')
    .option('--verdict <verdict>', `only these: ${Verdict.options.join(', ')}`)
    .option('--type <type>', 'only these: create_table, add_column, …')
    .option('--limit <n>', 'at most so many', '50')
    .option('--before <seq>', 'only those recorded before this seq')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: HistoryOptions) => {
      await run(options, async (context) => {
        const filter = readFilter(options);
        if (!filter.ok) return filter;
        return withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
          const migrations = await desk.migrations(filter.value);
          return migrations.ok ? answerOf(context, migrations.value, name) : migrations;
        });
      });
    });
};

function readFilter(options: HistoryOptions): Result<MigrationFilter, CommandFailure> {
  const page = readPage(options);
  if (page === null)
    return notUnderstood('--limit and --before are whole numbers above 0, --limit up to 1,000.');
  const verdict = Verdict.optional().safeParse(options.verdict);
  if (!verdict.success)
    return notUnderstood(`"${options.verdict}" is no verdict: choose ${Verdict.options.join(', ')}.`);
  const type = MigrationType.optional().safeParse(options.type);
  if (!type.success)
    return notUnderstood(`"${options.type}" is no type: choose ${MigrationType.options.join(', ')}.`);
  return {
    ok: true,
    value: {
      ...page,
      ...(options.object === undefined ? {} : { object: options.object }),
      ...(verdict.data === undefined ? {} : { verdict: verdict.data }),
      ...(type.data === undefined ? {} : { type: type.data }),
    },
  };
}

function answerOf(
  context: CommandContext,
  migrations: readonly MigrationView[],
  name: string,
): CommandResult {
  if (migrations.length === 0) return done(migrations, `${name} has recorded no such schema change.`);
  const nameBySite = new Map(readFleet(context).map((known) => [known.site, known.name]));
  const columns = [
    { title: 'Seq', isNumber: true },
    { title: 'When (HLC)' },
    { title: 'Origin' },
    { title: 'Type' },
    { title: 'Object' },
    { title: 'Verdict' },
    { title: 'Why' },
  ];
  return done(
    migrations,
    textTable(
      columns,
      migrations.map((migration) => [
        String(migration.seq),
        migration.hlc.slice(0, HLC_TIME_CHARS),
        nameBySite.get(migration.origin) ?? migration.origin.slice(0, SITE_CHARS),
        migration.type,
        migration.element === null ? migration.object : `${migration.object}.${migration.element}`,
        migration.verdict,
        migration.reason.replaceAll('`', ''),
      ]),
    ),
  );
}

/** Time and counter, without the site. */
const HLC_TIME_CHARS = 29;
const SITE_CHARS = 8;
