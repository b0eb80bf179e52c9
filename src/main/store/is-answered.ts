import type { Migration } from '#shared/model/change-group.ts';

import { isAnsweredBy } from '../engine/shape/read-history.ts';

/** Whether a decision about a table's shape speaks of another change of it: it knew of it, or chose between it and another. */
export const isAnswered = (decision: Migration, other: Migration): boolean =>
  isAnsweredBy(
    {
      ...decision,
      unifies: (decision.redefine?.creations ?? []).map(({ migration }) => migration),
    },
    other,
  );
