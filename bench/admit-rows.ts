import type { Page } from '#shared/model/change-group.ts';
import { openReplicaWith } from './bench-pair.ts';
import { openPlain } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { admitAll, openSource, readPages, ROWS_PER_TRANSACTION, type PageSource } from './page-source.ts';
import { INSERT_W, workloadDdl, workloadRows, type KeyKind, type WorkloadRow } from './workload.ts';

const REPLACE_W = INSERT_W.replace('insert', 'insert or replace');

/** New rows arriving in pages, against INSERT OR REPLACE of the same rows into a table without triggers. */
export const admitRows: Bench = {
  names: ['admit.rows'],
  run: async (options): Promise<readonly BenchResult[]> => [
    await run(options, { kind: 'uuid', variant: 'UUID key', target: 1.2 }),
    await run(options, { kind: 'integer', variant: 'integer key', target: 1.3 }),
  ],
};

async function run(
  options: BenchOptions,
  line: { readonly kind: KeyKind; readonly variant: string; readonly target: number },
): Promise<BenchResult> {
  const rows = [...workloadRows(line.kind, options.rows)];
  const { peer, pages } = makePages(options, line.kind, rows);
  const timings = await measure(
    [plain(options, line.kind, rows), admitting(options, { ...line, peer, pages })],
    options.rounds,
  );
  return compareCpu(timings, { ...line, name: 'admit.rows', contender: 'admit', baseline: 'replace' });
}

/** Rows that came in transactions of a page, read out once: all rounds admit the same pages. */
function makePages(
  options: BenchOptions,
  kind: KeyKind,
  rows: readonly WorkloadRow[],
): { readonly peer: PageSource['peer']; readonly pages: readonly Page[] } {
  const source = openSource(options, `source-${kind}`, { kind, rows });
  const reader = openReplicaWith(options.folder, `reader-${kind}`, '');
  const pages = readPages(source.replica, reader.replica, { facts: ROWS_PER_TRANSACTION });
  reader.close();
  source.close();
  return { peer: source.peer, pages };
}

function plain({ folder }: BenchOptions, kind: KeyKind, rows: readonly WorkloadRow[]): Contender {
  return {
    name: 'replace',
    prepare: (name) => {
      const file = openPlain(folder, name, workloadDdl[kind]);
      // As durable as an admission, so that the flushes count on both sides.
      file.raw.pragma('synchronous = full');
      return {
        work: () => {
          const replace = file.raw.prepare(REPLACE_W);
          for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION) {
            file.raw.transaction(() => {
              for (const row of rows.slice(from, from + ROWS_PER_TRANSACTION)) replace.run(...row);
            })();
          }
        },
        finish: file.close,
      };
    },
  };
}

function admitting(
  { folder }: BenchOptions,
  source: {
    readonly kind: KeyKind;
    readonly peer: PageSource['peer'];
    readonly pages: readonly Page[];
  },
): Contender {
  return {
    name: 'admit',
    prepare: (name) => {
      const { replica, close } = openReplicaWith(folder, `${name}-${source.kind}`, '');
      return {
        work: () => {
          admitAll(replica, source.peer, source.pages);
        },
        finish: close,
      };
    },
  };
}
