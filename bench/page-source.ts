import Database from 'better-sqlite3';

import type { Cursor, Page } from '#shared/model/change-group.ts';
import type { Replica } from '#main/replica/replica.ts';
import { asPeer, openReplicaWith } from './bench-pair.ts';
import type { BenchOptions } from './bench.ts';
import { INSERT_W, workloadDdl, type KeyKind, type WorkloadRow } from './workload.ts';

/** Rows of one transaction at a source: a page. */
export const ROWS_PER_TRANSACTION = 1_000;

/** A replica that others pull from, written to by another program. */
export interface PageSource {
  readonly replica: Replica;
  readonly peer: ReturnType<typeof asPeer>;
  readonly path: string;
  /** Runs a statement once for each of these, a thousand to a transaction. */
  readonly write: (sql: string, values: readonly (readonly unknown[])[]) => void;
  /** Closes it and leaves its file. */
  readonly release: () => void;
  readonly close: () => void;
}

/** A source with a table of the workload that these rows came into. */
export function openSource(
  { folder }: Pick<BenchOptions, 'folder'>,
  name: string,
  content: { readonly kind: KeyKind; readonly rows: readonly WorkloadRow[] },
): PageSource {
  const { replica, path, ...file } = openReplicaWith(folder, name, workloadDdl[content.kind]);
  const program = new Database(path);
  const write: PageSource['write'] = (sql, values) => {
    const statement = program.prepare(sql);
    for (let from = 0; from < values.length; from += ROWS_PER_TRANSACTION) {
      program.transaction(() => {
        for (const each of values.slice(from, from + ROWS_PER_TRANSACTION)) statement.run(...each);
      })();
      replica.notice();
    }
  };
  write(INSERT_W, content.rows);
  return {
    replica,
    peer: asPeer(replica),
    path,
    write,
    release: () => {
      program.close();
      file.release();
    },
    close: () => {
      program.close();
      file.close();
    },
  };
}

/** All pages from a cursor on, as a peer that has nothing else would get them. */
export function readPages(
  source: Replica,
  puller: Replica,
  request: { readonly facts: number; readonly cursor?: Cursor },
): readonly Page[] {
  const pages: Page[] = [];
  for (;;) {
    const cursor = pages.at(-1)?.cursor ?? request.cursor;
    const page = source.readPage(puller.identity().site, {
      facts: request.facts,
      conflicts: [],
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (!page.ok) throw new Error(page.error.message);
    pages.push(page.value);
    if (!page.value.more) return pages;
  }
}

/** Admits pages one after the other; none may be refused. */
export function admitAll(replica: Replica, source: PageSource['peer'], pages: readonly Page[]): void {
  for (const page of pages) {
    const report = replica.admitPage(source, page);
    if (report.blocked !== null) throw new Error(report.blocked.message);
  }
}
