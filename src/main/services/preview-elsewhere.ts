import type { ReplicaPreview } from '#shared/api/blocked-procedures.ts';
import type { FleetReplica } from '#shared/api/fleet-replica.ts';
import { ok } from '#shared/result.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { onMember } from './on-member.ts';
import { callRemote } from './route-remote.ts';
import type { ServicePorts } from './service-ports.ts';

export interface ShapeWish {
  /** Where the resolution is looked at; its own preview is made elsewhere. */
  readonly ref: string;
  readonly conflictId: string;
  readonly object: string;
  /** The shape that would be chosen; empty when the option chooses none. */
  readonly ddl: string;
}

/** A person looks at a preview; beyond this many replicas the rest is left out, the stuck ones first. */
const REPLICAS_MAX = 50;
const AT_ONCE_MAX = 4;

/** What the rows of the fleet's other replicas would go through: of those that are stuck on the conflict, and those that have the object. */
export async function previewElsewhere(
  ports: ServicePorts,
  wish: ShapeWish,
): Promise<readonly ReplicaPreview[]> {
  const candidates = ports.board
    .fleet()
    .replicas.filter(({ ref }) => ref !== wish.ref)
    .map((replica) => ({
      replica,
      isStuck: replica.blocked.some((each) => each.conflictId === wish.conflictId),
    }))
    .sort((one, other) => Number(other.isStuck) - Number(one.isStuck))
    .slice(0, REPLICAS_MAX);

  const previews = new Map<string, ReplicaPreview>();
  const queue = [...candidates];
  const lanes = Array.from({ length: AT_ONCE_MAX }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const preview = await previewOne(ports, wish, next);
      if (preview !== null) previews.set(preview.ref, preview);
    }
  });
  await Promise.all(lanes);
  return candidates.flatMap(({ replica }) => previews.get(replica.ref) ?? []);
}

async function previewOne(
  ports: ServicePorts,
  { object, ddl }: ShapeWish,
  { replica, isStuck }: { readonly replica: FleetReplica; readonly isStuck: boolean },
): Promise<ReplicaPreview | null> {
  const { ref, name } = replica;
  const role = isStuck ? 'stuck' : 'other';
  const has = await hasTable(ports, ref, object);
  if (has === false) return null;
  if (has === null)
    return { ref, name, role, shape: null, note: `${name} does not answer: its rows are not counted.` };
  if (ddl === '') return { ref, name, role, shape: null, note: null };

  const wish = { ref, table: object, ddl };
  const remote = ports.hosts.resolve(ref);
  const shape =
    remote === null
      ? await onMember(ports.members, ref, (member) => member.keeper.replica.previewShape(object, ddl))
      : await callRemote(remote, 'replica.previewShape', wish);
  if (shape.ok) return { ref, name, role, shape: shape.value, note: null };
  const note =
    'message' in shape.error ? shape.error.message : `${name} does not answer: its rows are not counted.`;
  return { ref, name, role, shape: null, note };
}

/** Null when it cannot be said. */
async function hasTable(ports: ServicePorts, ref: string, object: string): Promise<boolean | null> {
  const remote = ports.hosts.resolve(ref);
  const catalog =
    remote === null
      ? await onMember(ports.members, ref, async (member) => ok(await member.reader().catalog()))
      : await callRemote(remote, 'replica.catalog', { ref });
  if (!catalog.ok) return null;
  const wanted = foldIdentifier(object);
  return catalog.value.objects.some(({ kind, name }) => kind === 'table' && foldIdentifier(name) === wanted);
}
