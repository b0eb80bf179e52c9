import { present } from '#shared/assert.ts';
import type {
  ChangeGroup,
  Cursor,
  FactBlock,
  Migration,
  PiecedFact,
  TableReference,
  TableReplacement,
  ValuePiece,
} from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/** One fact on its way out: a whole row, changed cells, or a deletion. */
export interface OutgoingFact {
  readonly kind: FactBlock['kind'];
  readonly table: TrackedTable;
  /** Key columns first. The same array for facts of one shape: it is compared by identity. */
  readonly columns: readonly TrackedColumn[];
  readonly values: readonly SqlValue[];
  readonly hlc: bigint;
  readonly site: SiteId;
  readonly life: number;
  /** Cells with a clock of their own. */
  readonly clocks: readonly { readonly place: number; readonly hlc: bigint; readonly site: SiteId }[];
}

export interface GroupBuilder {
  /** `pieced`: what of its values came in pieces. */
  readonly addFact: (fact: OutgoingFact, pieced?: Pick<PiecedFact, 'of' | 'values'>) => void;
  /** One a group. */
  readonly setPiece: (piece: ValuePiece) => void;
  readonly hasPiece: () => boolean;
  readonly addMigration: (migration: Migration) => void;
  readonly addReplacement: (table: TrackedTable, replacement: Omit<TableReplacement, 'table'>) => void;
  readonly isEmpty: () => boolean;
  readonly finish: (cursor: Cursor, unfinished: boolean) => ChangeGroup;
}

/** What `life` says when nothing was ever deleted, or deleted once. */
const PLAIN_LIFE: Readonly<Record<FactBlock['kind'], number>> = { rows: 1, cells: 1, deletes: 2 };

/** Gathers facts into a group; neighbours of one table, stamp, kind and shape share a block. */
export function createGroupBuilder(): GroupBuilder {
  const migrations: Migration[] = [];
  const sites: SiteId[] = [];
  const siteIndexes = new Map<SiteId, number>();
  const tables: TableReference[] = [];
  const tableIndexes = new Map<string, number>();
  const blocks: OpenBlock[] = [];
  const pieced: PiecedFact[] = [];
  const pieces: ValuePiece[] = [];
  const replacements: TableReplacement[] = [];
  let open: { readonly block: OpenBlock; readonly fact: OutgoingFact } | null = null;

  return {
    addMigration: (migration) => void migrations.push(migration),
    addReplacement: (table, replacement) =>
      void replacements.push({ table: tableIndex(table), ...replacement }),
    isEmpty: () =>
      migrations.length === 0 && blocks.length === 0 && pieces.length === 0 && replacements.length === 0,
    setPiece: (piece) => void pieces.splice(0, 1, piece),
    hasPiece: () => pieces.length > 0,
    addFact: (fact, largeValues) => {
      const block = open !== null && isNeighbour(open.fact, fact) ? open.block : openBlock(fact);
      open = { block, fact };
      const row = block.rows.length;
      block.rows.push(fact.values);
      // Neighbours join the newest block alone.
      if (largeValues !== undefined) pieced.push({ ...largeValues, block: blocks.length - 1, row });
      if (fact.life !== PLAIN_LIFE[fact.kind]) block.lives.push([row, fact.life]);
      for (const { place, hlc, site } of fact.clocks) block.clocks.push([row, place, hlc, siteIndex(site)]);
    },
    finish: (cursor, unfinished) => ({
      cursor,
      ...(unfinished ? { unfinished: true as const } : {}),
      sites,
      tables,
      migrations,
      blocks,
      ...pieceOf(pieces),
      ...(pieced.length === 0 ? {} : { pieced }),
      ...(replacements.length === 0 ? {} : { replacements }),
    }),
  };

  function openBlock(fact: OutgoingFact): OpenBlock {
    const reference = tableIndex(fact.table);
    const placeByCol = new Map(fact.table.columns.map(({ col }, place) => [col, place]));
    const block: OpenBlock = {
      table: reference,
      hlc: fact.hlc,
      site: siteIndex(fact.site),
      kind: fact.kind,
      columns: fact.columns.map(({ col }) => present(placeByCol.get(col), 'facts speak of tracked columns')),
      rows: [],
      lives: [],
      clocks: [],
    };
    blocks.push(block);
    return block;
  }

  function siteIndex(site: SiteId): number {
    const known = siteIndexes.get(site);
    if (known !== undefined) return known;
    siteIndexes.set(site, sites.length);
    return sites.push(site) - 1;
  }

  function tableIndex(table: TrackedTable): number {
    // Deletions may go by a key that the table had before.
    const name = [table.tbl, ...table.key.map(({ col }) => col)].join();
    const known = tableIndexes.get(name);
    if (known !== undefined) return known;
    tableIndexes.set(name, tables.length);
    return tables.push(tableReference(table)) - 1;
  }
}

const pieceOf = ([piece]: readonly ValuePiece[]): Pick<ChangeGroup, 'piece'> =>
  piece === undefined ? {} : { piece };

/** How facts name a table: all its recorded columns by ID and name. */
export function tableReference(table: TrackedTable): TableReference {
  return {
    id: table.id,
    name: table.name ?? '',
    columns: table.columns.map(({ id, name }) => ({ id, name })),
    key: table.key.map((key) => table.columns.findIndex(({ col }) => col === key.col)),
  };
}

interface OpenBlock extends FactBlock {
  readonly rows: (readonly SqlValue[])[];
  readonly lives: [number, number][];
  readonly clocks: [number, number, bigint, number][];
}

function isNeighbour(left: OutgoingFact, right: OutgoingFact): boolean {
  return (
    left.table.tbl === right.table.tbl &&
    left.kind === right.kind &&
    left.hlc === right.hlc &&
    left.site === right.site &&
    left.columns === right.columns
  );
}
