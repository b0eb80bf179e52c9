import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';

import { ok } from '#shared/result.ts';
import { parseScenario } from '../scenario/parse-scenario.ts';
import { runScenario } from '../scenario/run-scenario.ts';
import {
  countLine,
  exitStatusOf,
  reportJson,
  resultLine,
  unreadableLine,
  type FileOutcome,
} from '../scenario/scenario-report.ts';
import type { LinkKind } from '../scenario/scenario-world.ts';
import { hostStarter } from '../scenario/start-hosts.ts';
import { notUnderstood, refuse, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import type { AddSubcommand } from './subcommand.ts';

interface ScenarioOptions {
  readonly keep?: string;
  readonly link: string;
  readonly json?: boolean;
}

/** `concord scenario FILE...`: plays support cases on real files. */
export const addScenarioCommand: AddSubcommand = (program, run) => {
  program
    .command('scenario')
    .argument('<file...>', 'scenario files')
    .description('play scenario files and say which pass')
    .option('--keep <dir>', 'leave the replica files there')
    .option('--link <kind>', 'inProcess, or ws for loopback WebSockets between separate hosts', 'inProcess')
    .option('--json', 'one JSON document')
    .action(async (files: readonly string[], options: ScenarioOptions) => {
      await run(options, async (context) => playFiles(context, files, options));
    });
};

async function playFiles(
  context: CommandContext,
  files: readonly string[],
  options: ScenarioOptions,
): Promise<CommandResult> {
  const { link } = options;
  if (link !== 'inProcess' && link !== 'ws') {
    return notUnderstood(`"${link}" is no kind of link: write --link ws, or leave it out.`);
  }
  const keep = options.keep === undefined ? null : resolve(context.cwd, options.keep);
  if (keep !== null && !canMake(keep)) {
    return refuse('no-rights', `${options.keep ?? ''} cannot be made: name a folder that you may write.`);
  }
  const scratch = mkdtempSync(join(tmpdir(), 'concord-scenario-'));
  const outcomes: FileOutcome[] = [];
  try {
    for (const [index, file] of files.entries()) {
      const folder = folderOf(file, keep ?? join(scratch, `${index}`));
      const outcome = await playFile(context, file, { link, folder, scratch: join(scratch, `${index}-own`) });
      outcomes.push(outcome);
      tell(context, outcome, options.json === true);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return ok({ status: exitStatusOf(outcomes), json: reportJson(outcomes), text: countLine(outcomes) });
}

/** The line of a file, as soon as it has one. */
function tell({ output }: CommandContext, outcome: FileOutcome, isJson: boolean): void {
  if ('unreadable' in outcome) output.err(`${unreadableLine(outcome.file, outcome.unreadable)}\n`);
  else if (!isJson) output.out(`${resultLine(outcome.result)}\n`);
}

async function playFile(
  context: CommandContext,
  file: string,
  how: { readonly link: LinkKind; readonly folder: string; readonly scratch: string },
): Promise<FileOutcome> {
  const path = resolve(context.cwd, file);
  const source = readText(path);
  if (source === null)
    return { file, unreadable: { line: 0, message: 'there is no such file that can be read' } };
  const parsed = parseScenario(source);
  if (!parsed.ok) return { file, unreadable: { line: parsed.error.line, message: parsed.error.message } };
  mkdirSync(how.scratch, { recursive: true });
  const result = await runScenario({
    ...how,
    scenario: parsed.value,
    besides: dirname(path),
    starter: hostStarter,
    hash: context.ports.hash,
  });
  return { file, result };
}

/** A folder that is not there yet, so that nothing is written over. */
function folderOf(file: string, parent: string): string {
  const name = basename(file, extname(file));
  let folder = join(parent, name);
  for (let number = 2; existsSync(folder); number += 1) folder = join(parent, `${name}-${number}`);
  return folder;
}

function canMake(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
