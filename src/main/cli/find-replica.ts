import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { ok, type Result } from '#shared/result.ts';
import { openConsoleRecords } from '../console/open-console-records.ts';
import type { ReplicaRecord } from '../console/fleet-records.ts';
import { notUnderstood, refuse, type CommandFailure } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';

export interface FoundReplica {
  readonly path: string;
  /** The fleet's name, else the path as it was given. */
  readonly name: string;
}

/** Shorter beginnings of a site ID would be chance. */
const PREFIX_MIN = 4;

/**
 * Finds what REPLICA means: a file that is there, a name of the fleet, or the beginning of a site ID of the fleet.
 *
 * Errors: `no-such-replica`; `not-understood` where a beginning fits several.
 */
export function findReplica(context: CommandContext, said: string): Result<FoundReplica, CommandFailure> {
  const path = resolve(context.cwd, said);
  const known = readFleet(context);
  if (isFile(path)) {
    const record = known.find((replica) => replica.path === path);
    return ok({ path, name: record?.name ?? said });
  }
  const named = known.filter(({ name }) => name === said);
  const found = named.length > 0 ? named : bySite(known, said);
  const [first, second] = found;
  if (second !== undefined) {
    return notUnderstood(
      `"${said}" fits several replicas of the fleet: ${found.map(({ name, path: at }) => `${name} (${at})`).join(', ')}.`,
    );
  }
  if (first !== undefined) return ok({ path: first.path, name: first.name });
  return refuse(
    'no-such-replica',
    `There is no file ${said}, and no replica of the fleet has that name or site ID: check the path.`,
  );
}

/** The replicas that this machine's console knows. A console that was never started knows none. */
export function readFleet(context: CommandContext): readonly ReplicaRecord[] {
  if (!existsSync(join(context.dataDir, 'console.db'))) return [];
  const { clock, random } = context.ports;
  const records = openConsoleRecords({ dataDir: context.dataDir, clock, random });
  try {
    return records.fleet.replicas();
  } finally {
    records.close();
  }
}

function bySite(known: readonly ReplicaRecord[], said: string): readonly ReplicaRecord[] {
  return said.length < PREFIX_MIN ? [] : known.filter(({ site }) => site?.startsWith(said) === true);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
