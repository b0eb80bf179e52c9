import Database from 'better-sqlite3';

import type { Cursor, PullRequest } from '#shared/model/change-group.ts';
import type { Replica } from '#main/replica/replica.ts';
import { attachReplica } from '#main/replica/attach-replica.ts';
import { openReplicaWith } from './bench-pair.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { copyFile, openOptions } from './big-catalog.ts';
import { BIG_FACTOR, makeBigTable } from './big-table.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { ROWS_PER_TRANSACTION } from './page-source.ts';
import { INSERT_W, workloadRows } from './workload.ts';

/** Pages read in one repetition. */
const PAGES = 40;

/** Transactions of a page each that were captured after attaching, of either kind. */
const TRANSACTIONS = PAGES * 2;

const PARTS = ['baseline', 'rows', 'cells'] as const;
type Part = (typeof PARTS)[number];

const WORDS: Readonly<Record<Part, string>> = {
  baseline: 'rows from before attaching',
  rows: 'rows captured since',
  cells: 'changed cells',
};

/** One page of a thousand facts out of ten times as many rows, against the same. */
export const pageCost: Bench = {
  names: ['page.cost'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const sizes = [options.rows, options.rows * BIG_FACTOR] as const;
    const [few, many] = sizes.map((rows) => openBig(options, rows));
    if (few === undefined || many === undefined) throw new Error('Two files were to be made.');
    try {
      const results: BenchResult[] = [];
      for (const part of PARTS) {
        const timings = await measure(
          [contender('few', few, part), contender('many', many, part)],
          options.rounds,
        );
        const variant = `${PAGES} pages, ${WORDS[part]}; ${sizes[1].toLocaleString('en')} rows against ${sizes[0].toLocaleString('en')}`;
        const line = { name: 'page.cost', contender: 'many', baseline: 'few' };
        results.push(compareCpu(timings, { ...line, variant, target: 1.2 }));
      }
      return results;
    } finally {
      few.close();
      many.close();
    }
  },
};

interface BigReplica {
  readonly replica: Replica;
  /** Whose pages are asked for. */
  readonly reader: Replica;
  /** In the middle of what each part is about. */
  readonly cursors: Readonly<Record<Part, Cursor>>;
  readonly close: () => void;
}

/** An attached file in which cells were changed all over the table since, and rows added. */
function openBig({ folder }: BenchOptions, rows: number): BigReplica {
  const file = copyFile(makeBigTable(folder, rows), 'page-cost');
  const attached = attachReplica(openOptions(file.path));
  if (!attached.ok) throw new Error(attached.error.message);
  const { replica } = attached.value;
  const reader = openReplicaWith(folder, `page-cost-reader-${rows}`, '');
  const beforeRows = replica.identity().head;
  writeSince(file.path, rows, replica);
  const start = readCursor(replica, reader.replica);
  const cursorAt = (seq: number): Cursor => ({
    epoch: start.epoch,
    era: start.era,
    seq,
    catalogSeq: start.catalogSeq,
  });
  return {
    replica,
    reader: reader.replica,
    cursors: {
      baseline: cursorInBaseline(file.path, start, rows),
      rows: cursorAt(noticeAfter(file.path, beforeRows, Math.floor(PAGES / 2))),
      cells: cursorAt(noticeAfter(file.path, beforeRows, TRANSACTIONS + Math.floor(PAGES / 2))),
    },
    close: () => {
      replica.close();
      reader.close();
      file.remove();
    },
  };
}

function writeSince(path: string, rows: number, replica: Replica): void {
  const program = new Database(path);
  const insert = program.prepare(INSERT_W);
  const fresh = workloadRows('uuid', TRANSACTIONS * ROWS_PER_TRANSACTION);
  const inTransactions = (write: (at: number) => void): void => {
    for (let transaction = 0; transaction < TRANSACTIONS; transaction += 1) {
      program.transaction(() => {
        for (let at = 0; at < ROWS_PER_TRANSACTION; at += 1) write(transaction * ROWS_PER_TRANSACTION + at);
      })();
      replica.notice();
    }
  };
  inTransactions(() => {
    const next = fresh.next();
    if (next.done !== true) insert.run(...next.value);
  });
  const update = program.prepare('update w set d = d + 1 where rowid = ?');
  // Places that repeat only after all rows: the step has no divisor in common with any power of ten.
  const step = Math.floor(rows * 0.618) * 10 + 1;
  inTransactions((at) => void update.run(((at * step) % rows) + 1));
  program.close();
}

function readCursor(replica: Replica, reader: Replica): Cursor {
  const page = replica.readPage(reader.identity().site, { facts: ROWS_PER_TRANSACTION, conflicts: [] });
  if (!page.ok) throw new Error(page.error.message);
  return page.value.cursor;
}

/** As the cursor of a page ends that was full half-way through the rows of before. */
function cursorInBaseline(path: string, start: Cursor, rows: number): Cursor {
  if (start.inside === undefined) throw new Error('The first page of a large file ends inside its baseline.');
  const { entry } = JSON.parse(start.inside) as { readonly entry: number };
  const raw = new Database(path);
  const after = raw
    .prepare('select rowid from w where rowid = ?')
    .pluck()
    .get(Math.floor(rows / 2));
  raw.close();
  return { ...start, inside: JSON.stringify({ entry, after: [Number(after)] }) };
}

/** Seq of the notice that closed a transaction, counted from a place in the log. */
function noticeAfter(path: string, seq: number, transactions: number): number {
  const raw = new Database(path);
  const found = raw
    .prepare('select seq from _concord_log where kind = 8 and seq > ? order by seq limit 1 offset ?')
    .pluck()
    .get(seq, transactions - 1);
  raw.close();
  return Number(found);
}

function contender(name: string, big: BigReplica, part: Part): Contender {
  const site = big.reader.identity().site;
  return {
    name,
    prepare: () => ({
      work: () => {
        let cursor = big.cursors[part];
        for (let read = 0; read < PAGES; read += 1) {
          const request: PullRequest = { facts: ROWS_PER_TRANSACTION, conflicts: [], cursor };
          const page = big.replica.readPage(site, request);
          if (!page.ok) throw new Error(page.error.message);
          const facts = page.value.groups.flatMap(({ blocks }) => blocks.flatMap(({ rows }) => rows)).length;
          if (facts !== ROWS_PER_TRANSACTION) throw new Error(`A page of ${part} has ${facts} facts.`);
          ({ cursor } = page.value);
        }
      },
      finish: () => undefined,
    }),
  };
}
