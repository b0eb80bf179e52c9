import type { CatalogObject, CatalogView } from '#shared/model/views.ts';
import { done, type CommandResult } from './command-answer.ts';
import { withDesk } from './open-desk.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

interface CatalogOptions {
  readonly ddl?: boolean;
  readonly json?: boolean;
}

/** `concord catalog REPLICA`: its schema objects. */
export const addCatalogCommand: AddSubcommand = (program, run) => {
  program
    .command('catalog')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('list the tables, indexes, views and triggers of a replica')
    .option('--ddl', 'their canonical DDL instead of a table')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: CatalogOptions) => {
      await run(options, async (context) =>
        withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
          const catalog = await desk.catalog();
          return catalog.ok ? answerOf(catalog.value, { name, ddl: options.ddl === true }) : catalog;
        }),
      );
    });
};

function answerOf(
  catalog: CatalogView,
  how: { readonly name: string; readonly ddl: boolean },
): CommandResult {
  const { objects, fingerprint } = catalog;
  if (objects.length === 0) return done(catalog, `${how.name} has no tables yet.`);
  if (how.ddl) return done(catalog, objects.map(({ ddl }) => `${ddl};`).join('\n\n'));
  const columns = [
    { title: 'Kind' },
    { title: 'Name' },
    { title: 'Of' },
    { title: 'Rows', isNumber: true },
    { title: 'Columns' },
  ];
  const table = textTable(columns, objects.map(rowOf));
  return done(catalog, `${table}\n\nSchema fingerprint ${fingerprint}`);
}

function rowOf(object: CatalogObject): readonly string[] {
  return [
    object.isParked ? `${object.kind} (parked)` : object.kind,
    object.name,
    object.kind === 'index' || object.kind === 'trigger' ? object.table : '–',
    object.rows === null ? '–' : object.rows.toLocaleString('en-US'),
    object.kind === 'table' ? columnsOf(object) : '–',
  ];
}

function columnsOf(object: CatalogObject): string {
  const names = object.columns
    .map((column) => (column.primaryKey > 0 ? `${column.name}*` : column.name))
    .join(', ');
  return object.rowsSync ? names : `${names} (no key: its rows stay local)`;
}
