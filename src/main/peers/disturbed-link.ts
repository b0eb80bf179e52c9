import type { ChangeGroup, Migration, Page, PullRequest } from '#shared/model/change-group.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { LinkError, PeerLink } from './peer-link.ts';

// Trouble on purpose, for tests and for the scenario runner. No link of a host is ever wrapped in this.

export interface Disturbance {
  /** Draws from 0 (included) to 1 (excluded); seeded, so that a story can be told again. */
  readonly draw: () => number;
  /** Each page is delivered twice. */
  readonly duplicate?: boolean;
  /** The groups of a page come in another order. */
  readonly reorder?: boolean;
  /** Share of pages that are lost on the way and asked for again. */
  readonly drop?: number;
  /** Migrations that do not pass. */
  readonly withheld?: Withholding;
  /** The link breaks once this share of what the source had at the first page is delivered. */
  readonly breakAfterShare?: number;
  /** The link breaks once so many pages are delivered. */
  readonly breakAfterPages?: number;
}

/** A lossy link still delivers one of so many tries, so that every story ends. */
const LOSSES_MAX = 50;

/** Wraps a link so that it misbehaves as told. Closing and heads are those of the link inside. */
export function disturbLink(link: PeerLink, how: Disturbance): PeerLink {
  const share = createShareGauge(how.breakAfterShare);
  let again: Page | null = null;
  let pagesLeft = how.breakAfterPages ?? Number.POSITIVE_INFINITY;

  return { ...link, pull };

  async function pull(request: PullRequest): Promise<Result<Page, LinkError>> {
    if (share.isReached() || (pagesLeft <= 0 && again === null))
      return err({ code: 'closed', reason: 'broken on purpose' });
    if (again !== null) {
      const page = again;
      again = null;
      return ok(page);
    }
    const delivered = await deliver(request);
    if (!delivered.ok) return delivered;
    pagesLeft -= 1;
    const page = disturb(delivered.value);
    share.take(request, page);
    if (how.duplicate !== true) return ok(page);
    again = page;
    return ok({ ...page, more: true });
  }

  async function deliver(request: PullRequest): Promise<Result<Page, LinkError>> {
    let page = await link.pull(request);
    for (let losses = 0; losses < LOSSES_MAX && how.draw() < (how.drop ?? 0); losses += 1) {
      page = await link.pull(request);
    }
    return page;
  }

  function disturb(page: Page): Page {
    const passed = how.withheld === undefined ? page.groups : how.withheld.pass(page.groups);
    return { ...page, groups: how.reorder === true ? shuffled(passed, how.draw) : passed };
  }
}

/** What does not pass in one direction of one link. Outlives the single sync: what was kept back can still come. */
export interface Withholding {
  readonly withhold: (tables: readonly string[]) => void;
  /** Lets everything pass again; what was kept back comes ahead of the next page. */
  readonly release: () => void;
  readonly pass: (groups: readonly ChangeGroup[]) => readonly ChangeGroup[];
}

/** Keeps back the migrations of tables by name, while the rows pass. */
export function createWithholding(): Withholding {
  const names = new Set<string>();
  const ids = new Set<string>();
  let kept: Migration[] = [];

  return {
    withhold: (tables) => {
      for (const table of tables) names.add(table.toLowerCase());
    },
    release: () => {
      names.clear();
      ids.clear();
    },
    pass: (groups) => {
      const ahead = names.size === 0 ? kept.splice(0) : [];
      const passed = groups.map(passGroup);
      return ahead.length === 0 ? passed : [groupOf(ahead), ...passed];
    },
  };

  function passGroup(group: ChangeGroup): ChangeGroup {
    const held = group.migrations.filter(isWithheld);
    if (held.length === 0) return group;
    const known = new Set(kept.map((migration) => migration.id));
    kept = [...kept, ...held.filter((migration) => !known.has(migration.id))];
    return { ...group, migrations: group.migrations.filter((migration) => !held.includes(migration)) };
  }

  function isWithheld(migration: Migration): boolean {
    if (migration.kind === 'table' && names.has(migration.object.toLowerCase())) {
      if (migration.tableId !== null) ids.add(migration.tableId);
      return true;
    }
    return migration.tableId !== null && ids.has(migration.tableId);
  }
}

function groupOf(migrations: readonly Migration[]): ChangeGroup {
  return { sites: [], tables: [], migrations, blocks: [] };
}

function shuffled<T>(items: readonly T[], draw: () => number): readonly T[] {
  const left = [...items];
  const order: T[] = [];
  while (left.length > 0) order.push(...left.splice(Math.floor(draw() * left.length), 1));
  return order;
}

/** Tells when a share of what lay between the first request and the source's head is delivered. */
function createShareGauge(share: number | undefined) {
  let first: { readonly seq: number; readonly head: number } | null = null;
  let reached = 0;

  return {
    take: (request: PullRequest, page: Page) => {
      first ??= { seq: request.cursor?.seq ?? 0, head: page.head };
      const span = Math.max(1, first.head - first.seq);
      reached = (page.cursor.seq - first.seq) / span;
    },
    isReached: () => share !== undefined && first !== null && reached >= share,
  };
}
