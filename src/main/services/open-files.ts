import { realpath } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';

import type { Failure, Handlers, Output } from '#shared/api/types.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { ExampleError } from '../example/make-example-fleet.ts';
import { drawRef } from './draw-ref.ts';
import { toCreateFailure, toOpenFailure } from './file-failures.ts';
import { takeOnAsNew } from './take-on-as-new.ts';
import type { Member } from './member.ts';
import type { ServicePorts } from './service-ports.ts';

type FileMethod = 'fleet.openDatabase' | 'fleet.createReplica' | 'fleet.makeExample';

/** How files come into the fleet. */
export function createFileHandlers(ports: ServicePorts): Pick<Handlers, FileMethod> {
  const { members, activity, random } = ports;

  return {
    'fleet.openDatabase': async ({ path: given, name, asNewSite = false }, caller) => {
      const path = await realPath(ports.homeDir, given);
      const known = members.findByPath(path);
      if (known !== null) return openKnown(known);
      const record = { ref: drawRef(random), path, name: name ?? nameOf(path), group: null, site: null };
      const added = await members.add(record, 'attach');
      if (!added.ok) return err(toOpenFailure(added.error));
      const { member, opening } = added.value;
      const twinPath = await settleTwin(ports, member, { asNewSite, who: caller.name });
      if (twinPath !== null) return err(copyOf(path, twinPath));
      const tables = member.snapshot().status?.tables ?? 0;
      activity.note(opening.attached ? 'replicaAttached' : 'replicaOpened', { path, tables }, record);
      return ok({ ref: record.ref, ...opening, tables });
    },
    'fleet.createReplica': async ({ path: given, name }) => {
      const path = fullPath(ports.homeDir, given);
      const record = { ref: drawRef(random), path, name: name ?? nameOf(path), group: null, site: null };
      const added = await members.add(record, 'init');
      if (!added.ok) return err(toCreateFailure(added.error));
      activity.note('replicaCreated', { path }, record);
      return ok({ ref: record.ref });
    },
    'fleet.makeExample': async () => {
      const made = await ports.example.make();
      if (!made.ok) return err(toExampleFailure(made.error));
      const { replicas, links, rows } = made.value;
      const refByName = new Map<string, string>();
      for (const { name, group, path } of replicas) {
        const record = { ref: drawRef(random), path, name, group, site: null };
        const added = await members.add(record, 'open');
        if (!added.ok) return err({ code: 'no-rights', path, message: added.error.message });
        refByName.set(name, record.ref);
      }
      linkExample(ports, links, refByName);
      activity.note('exampleMade', { folder: ports.example.folder, replicas: replicas.length, rows });
      return ok({ refs: [...refByName.values()], folder: ports.example.folder, rows });
    },
  };
}

async function openKnown(
  known: Member,
): Promise<Result<Output<'fleet.openDatabase'>, Failure<'fleet.openDatabase'>>> {
  const opened = await known.keeper.acquire();
  if (!opened.ok) return err(toOpenFailure(opened.error));
  await known.refresh();
  const tables = known.snapshot().status?.tables ?? 0;
  return ok({ ref: known.ref, attached: false, journalModeChanged: false, tables });
}

/** A copy of a file of the fleet is taken on as a new site, or let go again: then the path of the other file, else null. */
async function settleTwin(
  ports: ServicePorts,
  member: Member,
  { asNewSite, who }: { readonly asNewSite: boolean; readonly who: string },
): Promise<string | null> {
  const { members } = ports;
  const twin = members.all().find((other) => other !== member && other.site() === member.site());
  if (twin === undefined) return null;
  const { path } = twin.record();
  if (asNewSite) await takeOnAsNew(ports, member, { because: `It is a copy of ${path}.`, who });
  else await members.remove(member.ref);
  return asNewSite ? null : path;
}

function copyOf(path: string, otherPath: string): Failure<'fleet.openDatabase'> {
  return {
    code: 'duplicate-site',
    path,
    otherPath,
    message: `${path} and ${otherPath} are one replica twice: one file is a copy of the other. Take the copy on as a new site; it keeps its rows and what it wrote since.`,
  };
}

function linkExample(
  { links, random }: ServicePorts,
  pairs: readonly { readonly a: string; readonly b: string }[],
  refByName: ReadonlyMap<string, string>,
): void {
  for (const pair of pairs) {
    const a = refByName.get(pair.a);
    const b = refByName.get(pair.b);
    if (a === undefined || b === undefined) continue;
    const id = drawRef(random);
    links.add({ id, a, b, bName: pair.b, via: 'inProcess', url: null, paused: false, lastSyncMs: null });
  }
}

function toExampleFailure(error: ExampleError): Failure<'fleet.makeExample'> {
  if (error.code === 'example-exists') return error;
  const message = `${error.path} may not be written: give this user the rights, or set another data folder.`;
  return { code: 'no-rights', path: error.path, message };
}

function fullPath(homeDir: string, path: string): string {
  const trimmed = path.trim();
  return trimmed === '~' || trimmed.startsWith('~/')
    ? join(homeDir, trimmed.slice(1))
    : resolve(homeDir, trimmed);
}

/** Two ways to one file are one replica. */
async function realPath(homeDir: string, path: string): Promise<string> {
  const full = fullPath(homeDir, path);
  try {
    return await realpath(full);
  } catch {
    // Whoever opens it says what is wrong with it.
    return full;
  }
}

function nameOf(path: string): string {
  const name = basename(path, extname(path)).trim().slice(0, 100);
  return name === '' ? basename(path).slice(0, 100) : name;
}
