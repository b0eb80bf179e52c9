import type { Handlers } from '#shared/api/types.ts';

type ReplicaHandlers = Pick<Handlers, 'replica.definitions' | 'replica.diffCatalog'>;

/**
 * Questions about the catalogs of several replicas. `replicas` answers for each, wherever it is: the comparing is done
 * where the left one is held, off the main thread.
 */
export function createCatalogHandlers(replicas: ReplicaHandlers): Pick<Handlers, 'catalog.diff'> {
  return {
    'catalog.diff': async ({ left, right, explain }, caller) => {
      const there = await replicas['replica.definitions']({ ref: right }, caller);
      if (!there.ok) return there;
      return replicas['replica.diffCatalog']({ ref: left, right: [...there.value], explain }, caller);
    },
  };
}
