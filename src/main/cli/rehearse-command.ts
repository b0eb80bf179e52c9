import type { Rehearsal } from '#shared/model/rehearsal.ts';
import { ok, type Result } from '#shared/result.ts';
import type { RehearseReport, RehearseRequest } from '../replica/rehearse.ts';
import type { CarriedMigrations } from '../store/carried-migrations.ts';
import {
  done,
  notUnderstood,
  refuse,
  saysNo,
  type CommandFailure,
  type CommandResult,
} from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { findReplica, readFleet, type FoundReplica } from './find-replica.ts';
import { openQuietReader } from './open-quiet-reader.ts';
import { rehearsedText } from './rehearsed-text.ts';
import type { AddSubcommand } from './subcommand.ts';

interface RehearseOptions {
  readonly on?: readonly string[];
  readonly at?: string;
  readonly json?: boolean;
}

/** One replica of the answer. */
export interface RehearsedHere {
  readonly name: string;
  readonly path: string;
  readonly role: 'author' | 'receiver';
  /** Null when it cannot be said; `note` says why. */
  readonly rehearsal: Rehearsal | null;
  readonly note: string | null;
}

/** `concord rehearse "DDL" [--on R...]`: what a statement would do, tried on scratch copies. */
export const addRehearseCommand: AddSubcommand = (program, run) => {
  program
    .command('rehearse')
    .argument('<ddl>', 'CREATE, DROP or ALTER; several with ; between them')
    .description('say what a schema statement would do on each replica; it is tried on scratch copies')
    .option('--on <replica...>', 'these replicas; those of the fleet when left out')
    .option('--at <replica>', 'where it would be written; the first when left out')
    .option('--json', 'one JSON document')
    .action(async (sql: string, options: RehearseOptions) => {
      await run(options, async (context) => Promise.resolve(rehearse(context, sql, options)));
    });
};

function rehearse(context: CommandContext, sql: string, options: RehearseOptions): CommandResult {
  const found = findAll(context, options);
  if (!found.ok) return found;
  const [author, ...others] = found.value;
  if (author === undefined)
    return notUnderstood('The fleet of this machine is empty: name replicas with --on.');
  const written = runOn(context, author, { kind: 'writing', sql });
  if (!written.ok) return written;
  const first: RehearsedHere = {
    ...author,
    role: 'author',
    rehearsal: written.value.rehearsal,
    note: null,
  };
  const isRefused = first.rehearsal?.outcome === 'refused';
  const arrived = isRefused ? [] : others.map((replica) => arriveAt(context, replica, written.value.carried));
  const all = [first, ...arrived];
  const text = rehearsedText(all);
  return all.some(needsSomebody) ? saysNo(all, text) : done(all, text);
}

/** Where it would not simply go in. */
const needsSomebody = ({ rehearsal }: RehearsedHere): boolean =>
  rehearsal === null || ['blocks', 'waits', 'refused'].includes(rehearsal.outcome);

/** The author first, each once. */
function findAll(
  context: CommandContext,
  { on, at }: RehearseOptions,
): Result<readonly FoundReplica[], CommandFailure> {
  const said = [...(at === undefined ? [] : [at]), ...(on ?? [])];
  const all: FoundReplica[] = [];
  for (const each of said) {
    const found = findReplica(context, each);
    if (!found.ok) return found;
    all.push(found.value);
  }
  if (on === undefined) all.push(...readFleet(context).map(({ name, path }) => ({ name, path })));
  return ok([...new Map(all.map((found) => [found.path, found])).values()]);
}

function runOn(
  context: CommandContext,
  { path }: FoundReplica,
  request: RehearseRequest,
): Result<RehearseReport, CommandFailure> {
  const opened = openQuietReader(context, path);
  if (!opened.ok) return refuse(opened.error.code, opened.error.message);
  const run = opened.value.rehearse(request);
  opened.value.close();
  return run.ok ? run : refuse(run.error.code, run.error.message);
}

function arriveAt(context: CommandContext, replica: FoundReplica, carried: CarriedMigrations): RehearsedHere {
  const run = runOn(context, replica, { kind: 'arrival', carried });
  const here = { ...replica, role: 'receiver' } as const;
  return run.ok
    ? { ...here, rehearsal: run.value.rehearsal, note: null }
    : { ...here, rehearsal: null, note: run.error.message };
}
