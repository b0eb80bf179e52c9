import type { ObjectDefinition } from '#shared/model/catalog-diff.ts';
import { diffCatalogs } from '#main/replica/diff-catalogs.ts';
import { openReplica } from '#main/replica/open-replica.ts';
import type { Replica } from '#main/replica/replica.ts';

import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { BIG, catalogSql, makeBigReplica, openOptions } from './big-catalog.ts';
import { limitCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';

/** CPU seconds that a comparison may take. */
const LIMIT_SECONDS = 1;

/** The same catalog in other words, so that no text equals its counterpart and every one has to be read. */
const respelled = (sql: string): string =>
  sql
    .replaceAll(/\b(create|table|index|view|on|where|select|from|as|integer|text)\b/g, (word) =>
      word.toUpperCase(),
    )
    .replaceAll('(', ' ( ');

/** Two replicas of thousands of tables side by side. */
export const catalogCompare: Bench = {
  names: ['catalog.compare'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const sides = openSides(options);
    try {
      const timings = await measure(contenders(sides), options.rounds);
      const line = { name: 'catalog.compare', limitSeconds: LIMIT_SECONDS };
      return [
        limitCpu(timings, {
          ...line,
          contender: 'equal',
          variant: `${BIG} tables, equal texts; against 1 s`,
        }),
        limitCpu(timings, {
          ...line,
          contender: 'respelled',
          variant: `${BIG} tables, every text in other words; against 1 s`,
        }),
        limitCpu(timings, {
          ...line,
          contender: 'fingerprints',
          variant: `${BIG} tables, fingerprints of both; against 1 s`,
        }),
      ];
    } finally {
      for (const side of Object.values(sides)) side.close();
    }
  },
};

type Sides = Readonly<Record<'one' | 'same' | 'respelled', Replica>>;

function openSides({ folder }: BenchOptions): Sides {
  const open = (name: string, sql: string): Replica => {
    const opened = openReplica(openOptions(makeBigReplica(folder, name, sql)));
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  };
  return {
    one: open('compare-one', catalogSql(BIG)),
    same: open('compare-same', catalogSql(BIG)),
    respelled: open('compare-respelled', catalogSql(BIG, respelled)),
  };
}

function contenders({ one, same, respelled: other }: Sides): readonly Contender[] {
  const diffing = (right: Replica): void => {
    const sides = [one, right].map((replica): readonly ObjectDefinition[] => replica.definitions());
    const diff = diffCatalogs({ left: sides[0] ?? [], right: sides[1] ?? [], explain: false });
    if (diff.items.length > 0) throw new Error(`Two equal catalogs differ: ${JSON.stringify(diff.items[0])}`);
  };
  const contender = (name: string, work: () => void): Contender => ({
    name,
    prepare: () => ({ work, finish: () => undefined }),
  });
  return [
    contender('equal', () => {
      diffing(same);
    }),
    contender('respelled', () => {
      diffing(other);
    }),
    contender('fingerprints', () => {
      if (one.status().fingerprint !== other.status().fingerprint)
        throw new Error('Equal catalogs have one fingerprint.');
    }),
  ];
}
