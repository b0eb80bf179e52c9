import { assert, present } from '#shared/assert.ts';
import type { ChangeGroup, FactBlock, Page } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { exact } from './capture-model.ts';
import { CAPTURE_TABLES } from './capture-tables.ts';

/** A receiver in its smallest form: last writer wins by cell, higher life wins by row. One author, so HLCs suffice. */
export interface PageReplay {
  readonly take: (page: Page) => void;
  /** By table and identity: the cells, exactly. */
  readonly rows: (table: string) => Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Rows and deletions of one identity that came more than once. */
  readonly repeats: () => readonly string[];
  /** Identities that were deleted, with their lives. */
  readonly deleted: (table: string) => Readonly<Record<string, number>>;
}

interface ReplayRow {
  life: number;
  /** Null while deleted. */
  cells: Map<string, { value: string; hlc: bigint }> | null;
}

export function createPageReplay(): PageReplay {
  const tables = new Map(CAPTURE_TABLES.map(({ name }) => [name, new Map<string, ReplayRow>()]));
  let staged: ChangeGroup[] = [];
  const seen = new Map<string, number>();

  return {
    take: (page) => {
      for (const group of page.groups) {
        staged.push(group);
        if (group.unfinished === true) continue;
        for (const part of staged) for (const block of part.blocks) applyBlock(part, block);
        staged = [];
      }
    },
    repeats: () => [...seen].filter(([, times]) => times > 1).map(([what]) => what),
    rows: (table) =>
      Object.fromEntries(
        [...rowsOf(table)].flatMap(([key, { cells }]) =>
          cells === null
            ? []
            : [[key, Object.fromEntries([...cells].map(([column, { value }]) => [column, value]))] as const],
        ),
      ),
    deleted: (table) =>
      Object.fromEntries(
        [...rowsOf(table)].flatMap(([key, { cells, life }]) => (cells === null ? [[key, life]] : [])),
      ),
  };

  function rowsOf(table: string): Map<string, ReplayRow> {
    return present(tables.get(table), `table ${table}`);
  }

  function applyBlock(group: ChangeGroup, block: FactBlock): void {
    const reference = present(group.tables[block.table], 'a table of the group');
    const table = present(
      CAPTURE_TABLES.find(({ name }) => name === reference.name),
      'a known table',
    );
    const names = block.columns.map((index) => present(reference.columns[index], 'a column').name);
    assert(names.slice(0, table.keys.length).join() === table.keys.join(), 'facts begin with the key');
    const lives = new Map(block.lives);
    block.rows.forEach((values, index) => {
      const key = present(table.identityOf(values.slice(0, table.keys.length)), 'a fact has a key');
      const what = `${block.kind} ${table.name} ${key}`;
      if (block.kind !== 'cells') seen.set(what, (seen.get(what) ?? 0) + 1);
      applyFact(rowsOf(table.name), { key, names, values, block, index, life: lives.get(index) });
    });
  }
}

interface Fact {
  readonly key: string;
  readonly names: readonly string[];
  readonly values: readonly SqlValue[];
  readonly block: FactBlock;
  readonly index: number;
  readonly life: number | undefined;
}

function applyFact(rows: Map<string, ReplayRow>, fact: Fact): void {
  const { block, key } = fact;
  const known = rows.get(key);
  const life = fact.life ?? (block.kind === 'deletes' ? 2 : 1);
  assert((life % 2 === 0) === (block.kind === 'deletes'), 'deletions have even lives');
  if (life < (known?.life ?? 0)) return;
  if (block.kind === 'deletes') {
    rows.set(key, { life, cells: null });
    return;
  }
  const isNew = known === undefined || life > known.life;
  assert(!isNew || block.kind === 'rows', `cells of a row that nobody sent: ${key}`);
  const cells = isNew
    ? new Map<string, { value: string; hlc: bigint }>()
    : present(known.cells, 'odd lives are alive');
  fact.names.forEach((name, place) => {
    const own = block.clocks.find(([row, at]) => row === fact.index && at === place);
    const hlc = own?.[2] ?? block.hlc;
    const local = cells.get(name);
    if (local === undefined || hlc >= local.hlc)
      cells.set(name, { value: exact(fact.values[place] ?? null), hlc });
  });
  rows.set(key, { life, cells });
}
