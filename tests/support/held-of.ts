import type { Page } from '#shared/model/change-group.ts';
import type { HeldAction, HeldOutcome, HeldSelection } from '#shared/model/held-decision.ts';

import { valueOf, type TestReplica } from './replica-world.ts';

/** Options of a pull: a page whose schema changes are lost on the way. */
export const rowsOnly = {
  disturb: (page: Page): Page => ({
    ...page,
    groups: page.groups.map((group) => ({ ...group, migrations: [] })),
  }),
};

/** What is held, a line per table and reason. */
export const heldOf = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .heldCounts()
    .map(({ table, reason, rows }) => `${table} ${reason} ${String(rows)}`);

/** What a person decides about held changes. */
export const decide = (
  replica: TestReplica,
  action: HeldAction,
  { because = 'the test says so', ...selection }: HeldSelection & { readonly because?: string } = {},
): HeldOutcome => valueOf(replica.core().decideHeld({ action, selection, because, who: 'ines' }));
