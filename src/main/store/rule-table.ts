import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { keyLookup } from './key-lookup.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { RowRule } from './row-rules.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

/** A table with its rules, and the SQL that finds its rows. */
export interface RuleTable {
  readonly table: TrackedTable;
  readonly rules: readonly RowRule[];
  /** Quoted. */
  readonly name: string;
  /** SQL of the place of its row `t`. */
  readonly rid: string;
  /** SQL, true of its row `t` at a place. */
  readonly at: (place: string) => string;
}

/** A table that is here, by its ordinal; null where it is gone. */
export function ruleTable(store: ReplicaStore, tbl: number): RuleTable | null {
  const table = store.registry.byTbl(tbl);
  return table === null ? null : ruleTableOf(store, table);
}

/** A table that is here, by its name in whatever case. */
export function ruleTableNamed(store: ReplicaStore, name: string): RuleTable | null {
  const table = store.registry.byName(name);
  return table === null ? null : ruleTableOf(store, table);
}

function ruleTableOf(store: ReplicaStore, table: TrackedTable): RuleTable | null {
  if (table.name === null) return null;
  const isByKey = table.kind === TABLE_KIND.withoutRowid;
  const rid = isByKey ? table.ridExpression : `t.${table.ridExpression}`;
  return {
    table,
    rules: store.rules().rules.get(foldIdentifier(table.name)) ?? [],
    name: `main.${quoteIdentifier(table.name)}`,
    rid,
    at: (place) => (isByKey ? keyLookup(table.key, 't.', place) : `${rid} = ${place}`),
  };
}
