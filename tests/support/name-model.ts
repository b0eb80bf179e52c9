import { gateRecorded } from '#main/engine/migration/gate-recorded.ts';
import type { RecordedFacts, RecordedVerdict } from '#main/engine/migration/gate-recorded.ts';
import { groupLives } from '#main/engine/migration/group-lives.ts';
import type { KnownMigration } from '#main/engine/migration/group-lives.ts';
import { present } from '#shared/assert.ts';
import type { MigrationId } from '#shared/model/ids.ts';

import { tableId } from './ids.ts';
import { aKnownMigration } from './migration-builders.ts';

// One name in the catalogs of a few sites: created and dropped on each, exchanged peer by peer in the order of each
// peer's log. The smallest world in which the first gate can go wrong.

export type Gate = (facts: RecordedFacts) => RecordedVerdict;

/** Something that happens: a site creates or drops the object, or pulls all that another has. */
export type NameEvent =
  | { readonly kind: 'create'; readonly site: number; readonly definition: 'x' | 'y' }
  | { readonly kind: 'drop'; readonly site: number }
  /** `dropsFirst`: what the other has arrives as a unit whose drops are looked at first, as a fresh peer's catalog may. */
  | { readonly kind: 'pull'; readonly site: number; readonly from: number; readonly dropsFirst: boolean };

interface Site {
  readonly log: KnownMigration[];
  /** What stands under the name. */
  shows: MigrationId | null;
  clock: number;
}

/** Plays events, lets all sites exchange all, and says what each shows in the end: a definition, or null. */
export function playName(
  events: readonly NameEvent[],
  options: { readonly sites: number; readonly object: 'index' | 'table' | 'view'; readonly gate?: Gate },
): readonly (string | null)[] {
  const { object, gate = gateRecorded } = options;
  const sites = Array.from({ length: options.sites }, (): Site => ({ log: [], shows: null, clock: 0 }));
  const definitions = new Map<MigrationId, string>();
  const isEqual = (left: MigrationId, right: MigrationId) => definitions.get(left) === definitions.get(right);

  events.forEach(play);
  const numbers = sites.map((_, number) => number);
  const pulls = numbers.flatMap((site) =>
    numbers.map((from): NameEvent => ({
      kind: 'pull',
      site,
      from,
      dropsFirst: (site + from) % 2 === 0,
    })),
  );
  numbers.forEach(() => pulls.forEach(play));
  return sites.map(({ shows }) => (shows === null ? null : present(definitions.get(shows), 'a definition')));

  function play(event: NameEvent): void {
    const site = siteAt(event.site);
    if (event.kind === 'create' && site.shows === null) {
      const creation = write(event.site, `create_${object}`, null);
      definitions.set(creation.id, object === 'view' ? event.definition : 'x');
      site.shows = creation.id;
    }
    if (event.kind === 'drop' && site.shows !== null) {
      const shown = present(
        site.log.find(({ id }) => id === site.shows),
        'a recorded creation',
      );
      write(event.site, `drop_${object}`, shown.subject);
      site.shows = null;
    }
    if (event.kind === 'pull') {
      // A view holds no rows: nothing of it is sent once it is dropped, so its drop is never there first.
      const dropsFirst = event.dropsFirst && object !== 'view';
      for (const arriving of sentBy(siteAt(event.from), dropsFirst)) admit(site, arriving);
    }
  }

  function write(
    number: number,
    type: KnownMigration['type'],
    subject: KnownMigration['subject'],
  ): KnownMigration {
    const site = siteAt(number);
    site.clock += 1;
    const knew: Record<number, number> = {};
    for (const { stamp } of site.log) {
      const author = sites.findIndex((_, index) => stamp.site === authorOf(index));
      knew[author] = Math.max(knew[author] ?? 0, Number(stamp.hlc));
    }
    const own = type === 'create_table' ? tableId(number * 256 + site.clock) : subject;
    const migration = aKnownMigration({ at: site.clock, site: number, type, knew, subject: own });
    site.log.push(migration);
    return migration;
  }

  function admit(site: Site, arriving: KnownMigration): void {
    if (site.log.some(({ id }) => id === arriving.id)) return;
    const verdict = gate({ arriving, history: site.log, isEqual });
    if (verdict.verdict === 'proceed') {
      site.shows = isDropped(arriving) ? verdict.reveals : arriving.id;
    }
    if (verdict.verdict === 'superseded' && site.shows !== null) {
      const shown = site.shows;
      const isEnded = verdict.ends.some((id) => id === shown || isTwin(site, [id, shown]));
      if (isEnded) site.shows = null;
    }
    site.log.push(arriving);
    site.clock = Math.max(site.clock, Number(arriving.stamp.hlc));
  }

  /** Whether what shows is of the life that a creation began. */
  function isTwin(site: Site, [first, shown]: readonly [MigrationId, MigrationId]): boolean {
    return groupLives(site.log, isEqual).some(({ creations }) =>
      [first, shown].every((id) => creations.some((creation) => creation.id === id)),
    );
  }

  function siteAt(number: number): Site {
    return present(sites[number], 'a site of the model');
  }
}

const sentBy = ({ log }: Site, dropsFirst: boolean): readonly KnownMigration[] =>
  dropsFirst ? [...log.filter(isDropped), ...log.filter((each) => !isDropped(each))] : [...log];

const isDropped = ({ type }: KnownMigration): boolean => type.startsWith('drop');

const authorOf = (site: number) => aKnownMigration({ at: 0, site }).stamp.site;
