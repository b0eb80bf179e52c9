import Database from 'better-sqlite3';

import { openReplica, serveReplicaOn } from '#main/replica/open-replica.ts';
import type { Replica } from '#main/replica/replica.ts';
import { openDatabase } from '#main/store/open-database.ts';

import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { asPeer, pullAll } from './bench-pair.ts';
import { BIG, catalogSql, copyFile, makeBigReplica, openOptions, SMALL, tableName } from './big-catalog.ts';
import { compareCpu, compareGauge, limitGauge, measure } from './measure.ts';
import type { Contender, PreparedWork } from './measure.ts';

/** Migrations of one repetition, each of a table of its own. */
const MIGRATIONS = 8;

/** Repetitions in the small catalog before anything is measured. */
const WARM_ROUNDS = 8;

/** The first migration after an opening also reads what is kept in memory from then on. */
const WARM_UP = `alter table ${tableName(SMALL)} add column first text`;

/** Milliseconds that Concord may take for one migration beside SQLite's own statement. */
const OWN_SHARE_MS = 5;

/** Ratios that are nearer to one than this count as equal: two runs of the same differ by as much. */
const AS_MUCH = 1.15;

/**
 * One migration, ADD COLUMN, in a small and in a large catalog: the whole against SQLite's bare statement on the same
 * file, our triggers in it; and Concord's own share, which is the whole but for that statement, written and admitted.
 */
export const migrateOne: Bench = {
  names: ['migrate.one'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const ofSmall = contenders(makeTemplates(options, SMALL));
    const ofLarge = contenders(makeTemplates(options, BIG));
    // Code that has just begun to run takes half as long again; both catalogs are to be measured without that.
    await measure(ofSmall, WARM_ROUNDS);
    // One after the other: what one does while the other waits would be counted as the other's.
    const large = await measure(ofLarge, options.rounds);
    const small = await measure(ofSmall, options.rounds);
    const both = new Map([
      ...[...large].map(([name, timing]) => [`${name} ${BIG}`, timing] as const),
      ...[...small].map(([name, timing]) => [`${name} ${SMALL}`, timing] as const),
    ]);
    const line = { name: 'migrate.one' };
    return [
      compareCpu(large, {
        ...line,
        contender: 'written',
        baseline: 'bare',
        variant: `whole, ${BIG} tables`,
        target: 1.5,
      }),
      compareCpu(small, {
        ...line,
        contender: 'written',
        baseline: 'bare',
        variant: `whole, ${SMALL} tables`,
        target: null,
      }),
      ...['written', 'admitted'].flatMap((contender): readonly BenchResult[] => [
        limitGauge(both, {
          ...line,
          contender: `${contender} ${BIG}`,
          variant: `own share, ${contender}, ${BIG} tables; against 5 ms`,
          unit: 'CPU ms',
          limit: OWN_SHARE_MS,
        }),
        compareGauge(both, {
          ...line,
          contender: `${contender} ${BIG}`,
          baseline: `${contender} ${SMALL}`,
          variant: `own share, ${contender}, ${BIG} tables against ${SMALL}`,
          unit: 'CPU ms',
          target: AS_MUCH,
        }),
      ]),
    ];
  },
};

function makeTemplates({ folder }: BenchOptions, tables: number): Templates {
  const author = makeBigReplica(folder, `migrate-${tables}`, catalogSql(tables));
  const reader = makeBigReplica(folder, `migrate-${tables}-reader`, catalogSql(tables));
  introduce(author, reader);
  return { author, reader };
}

/** Lets the reader take in all that the author has: equal catalogs, so nothing is run. */
function introduce(author: string, reader: string): void {
  const [from, to] = [author, reader].map((path) => {
    const opened = openReplica(openOptions(path));
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  });
  if (from === undefined || to === undefined) return;
  pullAll(to, from, (page) => page);
  for (const replica of [from, to]) replica.close();
}

const addColumn = (place: number): string => `alter table ${tableName(place + 1)} add column more text`;

interface Templates {
  readonly author: string;
  readonly reader: string;
}

function contenders({ author, reader }: Templates): readonly Contender[] {
  const each = (run: (sql: string) => void) => (): void => {
    for (let place = 0; place < MIGRATIONS; place += 1) run(addColumn(place * 5));
  };
  return [
    { name: 'bare', prepare: (name) => prepareBare(author, name, each) },
    { name: 'written', prepare: (name) => prepareWritten(author, name, each) },
    { name: 'admitted', prepare: (name) => prepareAdmitted({ author, reader }, name, each) },
  ];
}

type Each = (run: (sql: string) => void) => () => void;

function prepareBare(template: string, name: string, each: Each): PreparedWork {
  const copy = copyFile(template, name);
  const raw = new Database(copy.path);
  raw.pragma('synchronous = normal');
  raw.exec(WARM_UP);
  return {
    work: each((sql) => void raw.exec(sql)),
    finish: () => {
      raw.close();
      copy.remove();
    },
  };
}

function prepareWritten(template: string, name: string, each: Each): PreparedWork {
  const { replica, watch, remove } = openWatched(template, name);
  replica.exec(WARM_UP);
  watch.forget();
  return {
    work: watch.whole(
      each((sql) => {
        const result = replica.exec(sql);
        if (!result.ok) throw new Error(result.error.message);
      }),
    ),
    finish: remove,
    gauge: () => watch.ownMs() / MIGRATIONS,
  };
}

/** The same migrations as they come from a peer, one unit each. */
function prepareAdmitted(templates: Templates, name: string, each: Each): PreparedWork {
  const author = openWatched(templates.author, `${name}-author`);
  const reader = openWatched(templates.reader, name);
  const sites = { to: reader.replica.identity().site, from: author.replica };
  const pull = (): void => {
    const plan = reader.replica.planPull(asPeer(author.replica));
    if (!plan.ok) throw new Error(plan.error.message);
    const page = author.replica.readPage(sites.to, plan.value);
    if (!page.ok) throw new Error(page.error.message);
    reader.watch.whole(() => {
      const report = reader.replica.admitPage(asPeer(author.replica), page.value);
      if (report.blocked !== null) throw new Error(report.blocked.message);
    })();
  };
  author.replica.exec(WARM_UP);
  pull();
  reader.watch.forget();
  return {
    work: each((sql) => {
      author.replica.exec(sql);
      pull();
    }),
    finish: () => {
      author.remove();
      reader.remove();
    },
    gauge: () => reader.watch.ownMs() / MIGRATIONS,
  };
}

interface Watch {
  /** Counts the CPU of the work. */
  readonly whole: (work: () => void) => () => void;
  /** CPU milliseconds of what was counted but for SQLite's ALTER statements in it. */
  readonly ownMs: () => number;
  readonly forget: () => void;
}

interface WatchedReplica {
  readonly replica: Replica;
  readonly watch: Watch;
  readonly remove: () => void;
}

function openWatched(template: string, name: string): WatchedReplica {
  const copy = copyFile(template, name);
  const opened = openDatabase({ path: copy.path });
  if (!opened.ok) throw new Error(opened.error.message);
  const watch = watchAlter(opened.value.raw);
  const served = serveReplicaOn(opened.value, openOptions(copy.path));
  if (!served.ok) throw new Error(served.error.message);
  const replica = served.value;
  return {
    replica,
    watch,
    remove: () => {
      replica.close();
      copy.remove();
    },
  };
}

/** Counts SQLite's own ALTER TABLE statements on this connection apart from all else. */
function watchAlter(raw: Database.Database): Watch {
  let wholeMicros = 0;
  let alterMicros = 0;
  const counted = <T>(work: () => T): T => {
    const before = process.cpuUsage();
    const value = work();
    alterMicros += microsSince(before);
    return value;
  };
  const isAlter = (sql: string): boolean => /^\s*alter\s+table/i.test(sql);
  const exec = raw.exec.bind(raw);
  const prepare = raw.prepare.bind(raw);
  raw.exec = (sql) => (isAlter(sql) ? counted(() => exec(sql)) : exec(sql));
  raw.prepare = ((sql: string) => {
    const statement = isAlter(sql) ? counted(() => prepare(sql)) : prepare(sql);
    if (!isAlter(sql)) return statement;
    const run = statement.run.bind(statement);
    statement.run = (...bound: unknown[]) => counted(() => run(...bound));
    return statement;
  }) as Database.Database['prepare'];
  return {
    whole: (work) => () => {
      const before = process.cpuUsage();
      work();
      wholeMicros += microsSince(before);
    },
    ownMs: () => (wholeMicros - alterMicros) / 1_000,
    forget: () => {
      wholeMicros = 0;
      alterMicros = 0;
    },
  };
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
