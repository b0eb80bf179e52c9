import type { FactBlock } from '#shared/model/change-group.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { Admission } from './admission-context.ts';
import type { TableFactsInGroup } from './admission-earlier-key.ts';
import { holdFact } from './held-facts.ts';
import { identityHere } from './identity-here.ts';
import type { KeyValue } from './key-expression.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * The facts of a block without those of rows that are quarantined: these join them there, so that a change which a person
 * took out does not come in by another way. The same block where none is, as mostly.
 */
export function withoutQuarantined(
  admission: Admission,
  tbl: number,
  facts: TableFactsInGroup,
): TableFactsInGroup {
  const { group, block } = facts;
  const { store } = admission;
  if (block.kind === 'deletes' || !hasQuarantined(store, tbl)) return facts;
  const kept: number[] = [];
  for (const row of block.rows.keys()) {
    const key = identityHere(store, { group, block, row });
    const reason = key === null ? null : reasonOfQuarantined(store, tbl, key);
    if (reason === null) kept.push(row);
    else holdFact(admission, { group, block, row, reason, isQuarantined: true });
  }
  return kept.length === block.rows.length ? facts : { ...facts, block: onlyRows(block, kept) };
}

const OF_TABLE = `table_id in (select id from _concord_table where tbl = @tbl union all
  select id from _concord_alias where tbl = @tbl and kind = 't') and quarantined = 1`;

const hasQuarantined = ({ db }: ReplicaStore, tbl: number): boolean =>
  db
    .preparePluck<[{ readonly tbl: number }]>(`select 1 from _concord_held where ${OF_TABLE} limit 1`)
    .get({ tbl }) !== undefined;

const reasonOfQuarantined = ({ db }: ReplicaStore, tbl: number, key: KeyValue): HeldReason | null =>
  db
    .preparePluck<[{ readonly tbl: number; readonly key: KeyValue }], HeldReason>(
      `select reason from _concord_held where ${OF_TABLE} and key = @key and op = 'row' and reason <> 'droppedTable' limit 1`,
    )
    .get({ tbl, key }) ?? null;

/** Some rows of a block, with the lives and clocks that are theirs. */
function onlyRows(block: FactBlock, kept: readonly number[]): FactBlock {
  const placeOf = new Map(kept.map((row, place) => [row, place]));
  const moved = <Entry extends readonly [number, ...unknown[]]>(entry: Entry): readonly Entry[] => {
    const place = placeOf.get(entry[0]);
    return place === undefined ? [] : [entry.with(0, place) as unknown as Entry];
  };
  return {
    ...block,
    rows: kept.flatMap((row) => (block.rows[row] === undefined ? [] : [block.rows[row]])),
    lives: block.lives.flatMap(moved),
    clocks: block.clocks.flatMap(moved),
  };
}
