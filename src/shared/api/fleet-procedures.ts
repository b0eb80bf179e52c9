import { z } from 'zod';

import { Fleet, Ref } from './fleet-replica.ts';
import { failure, procedure } from './procedure.ts';
import { ReplicaUnknown } from './replica-failures.ts';

const Path = z.string().min(1).max(4096);
const Name = z.string().trim().min(1).max(100);
const Secret = z.string().min(1).max(500);
const Url = z.string().min(1).max(2000);
const LinkId = z.strictObject({ id: z.string() });

const LinkUnknown = failure('link-unknown', {});
/** A file, and one sentence: what, and the next step. */
const fileFacts = { path: z.string(), message: z.string() };

/** It belongs to another host, which alone can do this. */
const OnRemoteHost = failure('on-remote-host', { url: z.string() });

const NoRights = failure('no-rights', fileFacts);

/** Why a file was not opened. It is as it was. */
const OpenDatabaseFailure = z.discriminatedUnion('code', [
  failure('file-not-found', fileFacts),
  failure('not-a-database', fileFacts),
  failure('damaged-file', fileFacts),
  failure('empty-file', fileFacts),
  failure('unsupported-encoding', fileFacts),
  /** Another version of the bookkeeping: a newer or older Concord wrote it. */
  failure('other-format', { ...fileFacts, found: z.number().int(), known: z.number().int() }),
  NoRights,
  failure('locked', fileFacts),
  /** Another host holds its lease. */
  failure('in-use-by-host', { ...fileFacts, holder: z.string() }),
  /** A copy of another file of this fleet: both have one site ID. */
  failure('duplicate-site', { ...fileFacts, otherPath: z.string() }),
]);

export const fleetProcedures = {
  'fleet.get': procedure({ kind: 'query', input: z.strictObject({}), output: Fleet, error: z.never() }),

  /** Makes an existing SQLite file a replica of this fleet, or takes it in when it is a replica already. */
  'fleet.openDatabase': procedure({
    kind: 'command',
    /** `asNewSite`: where it is a copy of another file of this fleet, it becomes a replica of its own. */
    input: z.strictObject({ path: Path, name: Name.optional(), asNewSite: z.boolean().optional() }),
    output: z.strictObject({
      ref: Ref,
      /** False: it was a replica already. */
      attached: z.boolean(),
      /** True: the file was turned to WAL. */
      journalModeChanged: z.boolean(),
      tables: z.number().int(),
    }),
    error: OpenDatabaseFailure,
  }),

  /** Makes a new, empty replica. */
  'fleet.createReplica': procedure({
    kind: 'command',
    input: z.strictObject({ path: Path, name: Name.optional() }),
    output: z.strictObject({ ref: Ref }),
    error: z.discriminatedUnion('code', [
      failure('file-exists', fileFacts),
      failure('folder-not-found', fileFacts),
      NoRights,
    ]),
  }),

  /** Takes a replica and its links out of the fleet. Its file stays as it is. */
  'fleet.remove': procedure({
    kind: 'command',
    input: z.strictObject({ ref: Ref }),
    output: z.null(),
    error: z.discriminatedUnion('code', [ReplicaUnknown, OnRemoteHost]),
  }),

  'fleet.renameReplica': procedure({
    kind: 'command',
    input: z.strictObject({ ref: Ref, name: Name, group: Name.nullable() }),
    output: z.null(),
    error: z.discriminatedUnion('code', [ReplicaUnknown, OnRemoteHost]),
  }),

  /** Shows the replicas of another `concord serve` beside the own ones. */
  'fleet.connectHost': procedure({
    kind: 'command',
    input: z.strictObject({ url: Url, token: Secret }),
    output: z.strictObject({ url: z.string(), refs: z.array(Ref) }),
    error: z.discriminatedUnion('code', [
      failure('bad-url', { url: z.string() }),
      failure('host-not-reached', { url: z.string(), detail: z.string() }),
      failure('token-refused', { url: z.string() }),
      failure('other-contract', { theirs: z.number().int(), ours: z.number().int() }),
      failure('host-exists', { url: z.string() }),
    ]),
  }),

  'fleet.disconnectHost': procedure({
    kind: 'command',
    input: z.strictObject({ url: Url }),
    output: z.null(),
    error: failure('host-unknown', { url: z.string() }),
  }),

  /** Five replicas of a small chain of shops, three of them blocked on the same divergent definition. */
  'fleet.makeExample': procedure({
    kind: 'command',
    input: z.strictObject({}),
    output: z.strictObject({ refs: z.array(Ref), folder: z.string(), rows: z.number().int() }),
    error: z.discriminatedUnion('code', [failure('example-exists', { folder: z.string() }), NoRights]),
  }),

  /** Links two replicas of the fleet: in process, or over a WebSocket when one is on a remote host. */
  'fleet.addLink': procedure({
    kind: 'command',
    input: z.strictObject({ a: Ref, b: Ref }),
    output: LinkId,
    error: z.discriminatedUnion('code', [
      ReplicaUnknown,
      failure('same-replica', {}),
      failure('link-exists', { id: z.string() }),
      /** They are on two other hosts: link them there. */
      failure('both-remote', {}),
      /** Its host never told its site. */
      failure('host-not-reached', { url: z.string(), detail: z.string() }),
    ]),
  }),

  /** Links a replica to a peer that another host serves: `ws(s)://host[:port]/<site>`, with a token for sync. */
  'fleet.addPeer': procedure({
    kind: 'command',
    input: z.strictObject({ ref: Ref, url: Url, token: Secret, name: Name.optional() }),
    output: LinkId,
    error: z.discriminatedUnion('code', [
      ReplicaUnknown,
      OnRemoteHost,
      failure('bad-url', { url: z.string() }),
      failure('link-exists', { id: z.string() }),
    ]),
  }),

  'fleet.removeLink': procedure({ kind: 'command', input: LinkId, output: z.null(), error: LinkUnknown }),
  'fleet.pauseLink': procedure({ kind: 'command', input: LinkId, output: z.null(), error: LinkUnknown }),
  'fleet.resumeLink': procedure({ kind: 'command', input: LinkId, output: z.null(), error: LinkUnknown }),

  /** Rounds over the links of these replicas, or of all, until a round moves nothing. Paused links stay paused. */
  'fleet.syncNow': procedure({
    kind: 'command',
    input: z.strictObject({ refs: z.array(Ref).max(10_000).nullable() }),
    output: z.strictObject({
      rounds: z.number().int(),
      /** Facts and migrations that arrived somewhere. */
      changes: z.number().int(),
      /** Links that failed or are blocked, each with one sentence. */
      stopped: z.array(z.strictObject({ link: z.string(), reason: z.string() })),
    }),
    error: ReplicaUnknown,
  }),
};
