import { afterEach, beforeEach, expect } from 'vitest';

import { present } from '#shared/assert.ts';

import { createReplicaWorld, problemsOf, type ReplicaWorld, type TestReplica } from './replica-world.ts';

export interface FreshReplicasOptions {
  /** Off where tests leave damage behind on purpose. */
  readonly areSoundAtEnd?: boolean;
}

/**
 * Gives each test of a file, or of a `describe`, a world of its own with empty replicas of these names. What is handed
 * back stands for the world and the replicas of the test that runs, and is of no use outside of one. At the end of a
 * test all replicas of its world that are open must have no problems, and everything is closed.
 */
export function freshReplicas<const Name extends string>(
  names: readonly Name[] = [],
  { areSoundAtEnd = true }: FreshReplicasOptions = {},
): { readonly world: ReplicaWorld } & Readonly<Record<Name, TestReplica>> {
  let current: ReplicaWorld | null = null;
  const replicas = new Map<string, TestReplica>();
  const worldNow = (): ReplicaWorld => present(current, 'a test that runs');

  beforeEach(() => {
    const world = createReplicaWorld();
    current = world;
    for (const name of names) replicas.set(name, world.init(name));
  });
  afterEach(() => {
    const world = worldNow();
    try {
      if (areSoundAtEnd) expect(problemsOfAll(world)).toEqual({});
    } finally {
      current = null;
      replicas.clear();
      world.close();
    }
  });
  const standIns = names.map((name) => [
    name,
    standInFor(() => present(replicas.get(name), 'a test that runs')),
  ]);
  return {
    world: standInFor(worldNow),
    ...(Object.fromEntries(standIns) as Readonly<Record<Name, TestReplica>>),
  };
}

/** Problems by replica, of those that have any. */
const problemsOfAll = (world: ReplicaWorld): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    world
      .replicas()
      .filter((replica) => replica.isOpen())
      .map((replica) => [replica.name, problemsOf(replica)] as const)
      .filter(([, problems]) => problems.length > 0),
  );

/** An object that always is what `now` gives. */
const standInFor = <Subject extends object>(now: () => Subject): Subject =>
  new Proxy({} as Subject, { get: (_none, key) => Reflect.get(now(), key) as unknown });
