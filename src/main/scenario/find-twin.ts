import type { SiteId } from '#shared/model/ids.ts';
import type { PullRefusal } from '../replica/replica.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Direction } from './scenario.ts';

/** A refusal of a site that lives twice, and whose line at the puller stands for it. */
export interface TwinRefusal {
  readonly from: SiteId;
  readonly refusal: PullRefusal;
}

/**
 * Finds a second replica with the site ID of one end, of which the other end has heard while the first one lives: what a host
 * tells that holds links to both. Null when each site is one replica.
 */
export async function findTwin(world: ScenarioWorld, { from, to }: Direction): Promise<TwinRefusal | null> {
  const source = (await (await world.host(from)).identity()).site;
  const puller = (await (await world.host(to)).identity()).site;
  // Two ends of one link with one site say so themselves.
  if (source === puller) {
    world.links.claims.refuse(to, source, [from, to].toSorted(byPlace(world)).at(-1) ?? to);
    return null;
  }
  const ofSource = await firstOther(world, { end: to, site: source, name: from });
  const ofPuller = await firstOther(world, { end: from, site: puller, name: to });
  const [first, second, site] = ofSource === null ? [ofPuller, to, puller] : [ofSource, from, source];
  if (first === null) return null;
  world.links.claims.refuse(to, source, second);
  return {
    from: source,
    refusal: {
      code: 'duplicate-site',
      message: `Two files live with the site ID ${site}: ${world.path(first)} and ${world.path(second)}. Take the copy on as a new site (concord new-site): it keeps its rows and what it wrote since.`,
    },
  };
}

/** The replica that is known by a site ID at the other end and still has it, when that is another one. */
async function firstOther(
  world: ScenarioWorld,
  { end, site, name }: { readonly end: string; readonly site: SiteId; readonly name: string },
): Promise<string | null> {
  const known = world.links.claims.claim(end, site, name);
  if (known === name) return null;
  if (!world.isCrashed(known) && (await (await world.host(known)).identity()).site === site) return known;
  world.links.claims.letGo(end, site);
  world.links.claims.claim(end, site, name);
  return null;
}

const byPlace =
  (world: ScenarioWorld) =>
  (left: string, right: string): number =>
    world.names().indexOf(left) - world.names().indexOf(right);
