import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { JsonSqlValue } from '#shared/model/sql-value.ts';
import { done, notUnderstood, refuse, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { countWords } from './count-words.ts';
import { withDesk } from './open-desk.ts';
import type { ExecOutcome } from './replica-desk.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

interface ExecOptions {
  readonly file?: string;
  readonly json?: boolean;
}

/** `concord exec REPLICA SQL`: runs statements through Concord, the alterations that SQLite lacks included. */
export const addExecCommand: AddSubcommand = (program, run) => {
  program
    .command('exec')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .argument('[sql]', 'statements; several are several transactions unless BEGIN and COMMIT stand there')
    .description('run SQL through Concord: it is recorded and travels to the peers')
    .option('--file <path>', 'take the statements from a file')
    .option('--json', 'one JSON document')
    .action(async (replica: string, sql: string | undefined, options: ExecOptions) => {
      await run(options, async (context) => {
        const source = readSource(context, sql, options.file);
        if (typeof source !== 'string') return source;
        return withDesk(context, { replica, as: 'acts' }, async ({ desk }) => {
          const outcomes = await desk.exec(source);
          return outcomes.ok ? done(outcomes.value, outcomesText(outcomes.value)) : outcomes;
        });
      });
    });
};

function readSource(
  context: CommandContext,
  sql: string | undefined,
  file: string | undefined,
): string | CommandResult {
  if ((sql === undefined) === (file === undefined)) {
    return notUnderstood('Give the statements as an argument, or a file with --file.');
  }
  if (file === undefined) return sql ?? '';
  try {
    return readFileSync(resolve(context.cwd, file), 'utf8');
  } catch {
    return refuse('file-not-found', `${file} cannot be read: check the path.`);
  }
}

function outcomesText(outcomes: readonly ExecOutcome[]): string {
  return outcomes.map(outcomeText).join('\n\n');
}

function outcomeText({ columns, rows, changes, sql }: ExecOutcome): string {
  if (columns.length > 0) {
    const table = textTable(
      columns.map((title, at) => ({ title, isNumber: rows.every((row) => typeof row[at] === 'number') })),
      rows.map((row) => row.map(valueText)),
    );
    return `${table}\n${countWords(rows.length, 'row')}`;
  }
  return `${firstWords(sql)}: ${countWords(changes, 'row')} changed`;
}

function valueText(value: JsonSqlValue): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return String(value);
  if ('int' in value) return value.int;
  if ('real' in value) return value.real;
  return 'blob' in value ? `x'${value.blob}'` : `text x'${value.text}'`;
}

const STATEMENT_CHARS_MAX = 60;

function firstWords(sql: string): string {
  const line = sql.replaceAll(/\s+/g, ' ').trim();
  return line.length > STATEMENT_CHARS_MAX ? `${line.slice(0, STATEMENT_CHARS_MAX - 1)}…` : line;
}
