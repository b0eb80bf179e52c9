import Database from 'better-sqlite3';

import type { Page } from '#shared/model/change-group.ts';
import { asPeer, openReplicaWith } from './bench-pair.ts';
import { openPlain } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { INSERT_W, workloadDdl, workloadRows, type KeyKind, type WorkloadRow } from './workload.ts';

/** Rows of one transaction at the source, and of one at the plain receiver: a page. */
const ROWS_PER_TRANSACTION = 1_000;

const REPLACE_W = INSERT_W.replace('insert', 'insert or replace');

/** New rows arriving in pages, against INSERT OR REPLACE of the same rows into a table without triggers. */
export const admitRows: Bench = {
  name: 'admit.rows',
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
  const source = makeSource(options, line.kind, rows);
  const timings = await measure(
    [plain(options, line.kind, rows), admitting(options, line.kind, source)],
    options.rounds,
  );
  return compareCpu(timings, { ...line, name: 'admit.rows', contender: 'admit', baseline: 'replace' });
}

interface Source {
  readonly peer: ReturnType<typeof asPeer>;
  readonly pages: readonly Page[];
}

/** A replica whose rows came in transactions of a page, read out once: all rounds admit the same pages. */
function makeSource(options: BenchOptions, kind: KeyKind, rows: readonly WorkloadRow[]): Source {
  const { replica, path } = openReplicaWith(options.folder, `source-${kind}`, workloadDdl[kind]);
  const other = new Database(path);
  const insert = other.prepare(INSERT_W);
  for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION) {
    other.transaction(() => {
      for (const row of rows.slice(from, from + ROWS_PER_TRANSACTION)) insert.run(...row);
    })();
    replica.notice();
  }
  other.close();
  const reader = openReplicaWith(options.folder, `reader-${kind}`, '').replica;
  const pages: Page[] = [];
  for (;;) {
    const cursor = pages.at(-1)?.cursor;
    const request = {
      facts: ROWS_PER_TRANSACTION,
      conflicts: [],
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = replica.readPage(reader.identity().site, request);
    if (!page.ok) throw new Error(page.error.message);
    pages.push(page.value);
    if (!page.value.more) break;
  }
  const peer = asPeer(replica);
  reader.close();
  replica.close();
  return { peer, pages };
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

function admitting({ folder }: BenchOptions, kind: KeyKind, source: Source): Contender {
  return {
    name: 'admit',
    prepare: (name) => {
      const { replica } = openReplicaWith(folder, `${name}-${kind}`, '');
      return {
        work: () => {
          for (const page of source.pages) {
            const report = replica.admitPage(source.peer, page);
            if (report.blocked !== null) throw new Error(report.blocked.message);
          }
        },
        finish: replica.close,
      };
    },
  };
}
