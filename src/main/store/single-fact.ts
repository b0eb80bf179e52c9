import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

/** One row of a block. */
export interface FactOfGroup {
  readonly group: ChangeGroup;
  readonly block: FactBlock;
  /** Place of the row in the block. */
  readonly row: number;
  /** Only these columns of the row, beside its key; all of it otherwise. */
  readonly places?: readonly number[];
}

/** The fact alone, as a group of one row that names no more columns and sites than it needs: it is kept so, one by one. */
export function singleFact({ group, block, row, places }: FactOfGroup): ChangeGroup {
  const reference = group.tables[block.table];
  const keyColumns = new Set(reference?.key);
  const kept = block.columns.flatMap((column, place) =>
    places === undefined || places.includes(place) || keyColumns.has(column) ? [place] : [],
  );
  const values = block.rows[row] ?? [];
  const life = block.lives.find(([index]) => index === row);
  const sites = siteList(group);
  const named = columnList(kept.map((place) => block.columns[place] ?? -1).concat(reference?.key ?? []));
  const single: FactBlock = {
    table: 0,
    hlc: block.hlc,
    site: sites.indexOf(block.site),
    kind: places === undefined ? block.kind : 'cells',
    columns: kept.map((place) => named.indexOf(block.columns[place] ?? -1)),
    rows: [kept.map((place) => values[place] ?? null)],
    lives: life === undefined ? [] : [[0, life[1]]],
    clocks: block.clocks.flatMap(([index, place, hlc, site]) =>
      index === row && kept.includes(place)
        ? [[0, kept.indexOf(place), hlc, sites.indexOf(site)] as const]
        : [],
    ),
  };
  const tables =
    reference === undefined
      ? []
      : [
          {
            ...reference,
            columns: named.list().flatMap((column) => reference.columns[column] ?? []),
            key: reference.key.map((column) => named.indexOf(column)),
          },
        ];
  return { sites: sites.list(), tables, migrations: [], blocks: [single] };
}

/** Indexes that are used, in the order of their first use, under numbers of their own. */
function numbered(): { readonly indexOf: (known: number) => number; readonly used: () => readonly number[] } {
  const order: number[] = [];
  return {
    indexOf: (known) => {
      const at = order.indexOf(known);
      return at < 0 ? order.push(known) - 1 : at;
    },
    used: () => order,
  };
}

function siteList(group: ChangeGroup): {
  readonly indexOf: (site: number) => number;
  readonly list: () => readonly SiteId[];
} {
  const { indexOf, used } = numbered();
  return { indexOf, list: () => used().flatMap((site) => group.sites[site] ?? []) };
}

function columnList(columns: readonly number[]): {
  readonly indexOf: (column: number) => number;
  readonly list: () => readonly number[];
} {
  const { indexOf, used } = numbered();
  for (const column of columns) indexOf(column);
  return { indexOf, list: used };
}
