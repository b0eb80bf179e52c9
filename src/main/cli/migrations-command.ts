import type { MigrationView } from '#shared/model/views.ts';
import { done, notUnderstood, type CommandResult } from './command-answer.ts';
import { withDesk } from './open-desk.ts';
import { readPage, type PageOptions } from './page-options.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

/** `concord migrations REPLICA`: its schema changes, own and admitted, the newest first. */
export const addMigrationsCommand: AddSubcommand = (program, run) => {
  program
    .command('migrations')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('list the schema changes of a replica with what it decided about each, the newest first')
    .option('--limit <n>', 'at most so many', '50')
    .option('--before <seq>', 'only those recorded before this seq')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: PageOptions) => {
      await run(options, async (context) => {
        const page = readPage(options);
        if (page === null)
          return notUnderstood('--limit and --before are whole numbers above 0, --limit up to 1,000.');
        return withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
          const migrations = await desk.migrations(page);
          return migrations.ok ? answerOf(migrations.value, name) : migrations;
        });
      });
    });
};

function answerOf(migrations: readonly MigrationView[], name: string): CommandResult {
  if (migrations.length === 0) return done(migrations, `${name} has recorded no schema change.`);
  const columns = [
    { title: 'Seq', isNumber: true },
    { title: 'When (HLC)' },
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
        migration.type,
        migration.element === null ? migration.object : `${migration.object}.${migration.element}`,
        migration.verdict,
        migration.reason,
      ]),
    ),
  );
}

/** Time and counter, without the site. */
const HLC_TIME_CHARS = 29;
