import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import Database from 'better-sqlite3';

import type { Method } from '#shared/api/contract.ts';
import type { Input, Output } from '#shared/api/types.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import type { HostGauges } from './host-messages.ts';
import { besideControl, limitCount, median } from './measure.ts';
import { openSource } from './page-source.ts';
import { startHost, type BenchHost } from './start-host.ts';
import { workloadRows } from './workload.ts';

/** A host holds some hundred megabytes and takes a minute a round. */
const ROUNDS_MAX = 3;

/** How long a host that has nothing to do settles before its memory counts as that of an idle one. */
const SETTLE_MS = 3_000;

const MEMORY_MB_MAX = 150;
const STALL_MS_MAX = 50;

const MEGABYTE = 1_024 * 1_024;

/**
 * Two headless hosts in processes of their own, one with a million rows, linked over a WebSocket: how much more memory than
 * idle the one needs that takes them in, and how long the main threads stand still meanwhile.
 */
export const memoryHost: Bench = {
  names: ['memory.host', 'main.gap'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const source = openSource(options, 'host-source', {
      kind: 'uuid',
      rows: [...workloadRows('uuid', options.rows)],
    });
    // The host takes it over: the lease has to be free.
    source.release();
    const runs: Run[] = [];
    try {
      for (let round = 0; round < Math.min(options.rounds, ROUNDS_MAX); round += 1) {
        runs.push(await runOnce(options, { path: source.path, site: source.peer.site, round }));
      }
    } finally {
      source.close();
    }
    return describe(runs, options.rows);
  },
};

interface Run {
  readonly grownMb: number;
  readonly receiverStallMs: number;
  readonly sourceStallMs: number;
  readonly receiverTurnMs: number;
  readonly sourceTurnMs: number;
  /** How long this process, which does nothing but wait, stood still meanwhile. */
  readonly idleStallMs: number;
}

async function runOnce(
  { folder, rows }: BenchOptions,
  source: { readonly path: string; readonly site: string; readonly round: number },
): Promise<Run> {
  const name = `host-${source.round}`;
  const [sender, receiver] = await Promise.all([
    startHost(folder, `${name}-a`),
    startHost(folder, `${name}-b`),
  ]);
  const path = join(folder, `${name}.db`);
  try {
    await ask(sender, 'fleet.openDatabase', { path: source.path });
    const { ref } = await ask(receiver, 'fleet.createReplica', { path });
    await pause(SETTLE_MS);
    const idle = await receiver.begin();
    await sender.begin();
    const ownDelay = monitorEventLoopDelay({ resolution: 1 });
    ownDelay.enable();
    await ask(receiver, 'fleet.addPeer', {
      ref,
      url: `${sender.url.replace(/^http/, 'ws')}/${source.site}`,
      token: sender.syncToken,
    });
    await ask(receiver, 'fleet.syncNow', { refs: [ref] });
    const [at, other] = await Promise.all([receiver.read(), sender.read()]);
    ownDelay.disable();
    refuseLoss(path, rows);
    return { ...runOf(idle, at, other), idleStallMs: ownDelay.max / 1_000_000 };
  } finally {
    await Promise.all([sender.end(), receiver.end()]);
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

const runOf = (idle: HostGauges, receiver: HostGauges, sender: HostGauges): Omit<Run, 'idleStallMs'> => ({
  grownMb: (receiver.peakBytes - idle.residentBytes) / MEGABYTE,
  receiverStallMs: receiver.longestStallMs,
  sourceStallMs: sender.longestStallMs,
  receiverTurnMs: receiver.longestTurnMs,
  sourceTurnMs: sender.longestTurnMs,
});

async function ask<M extends Method>(host: BenchHost, method: M, input: Input<M>): Promise<Output<M>> {
  const answer = await host.client.call(method, input);
  if (!answer.ok) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.value;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function refuseLoss(path: string, rows: number): void {
  const raw = new Database(path, { readonly: true });
  const found = Number(raw.prepare('select count(*) from w').pluck().get());
  raw.close();
  if (found !== rows) throw new Error(`${found} of ${rows} rows arrived.`);
}

function describe(runs: readonly Run[], rows: number): readonly BenchResult[] {
  const words = `${rows.toLocaleString('en')} rows over a WebSocket`;
  const of = (pick: (run: Run) => number): number => median(runs.map(pick));
  return [
    limitCount({
      ...{ name: 'memory.host', variant: `${words}, peak above idle`, unit: 'MB' },
      ...{ value: of(({ grownMb }) => grownMb), limit: MEMORY_MB_MAX },
    }),
    ...(['admits', 'serves'] as const).flatMap((does) => {
      const line = { name: 'main.gap', variant: `${words}, host that ${does}` };
      const isReceiver = does === 'admits';
      return [
        limitCount({
          ...line,
          variant: `${line.variant}, longest turn`,
          unit: 'CPU ms',
          value: of((run) => (isReceiver ? run.receiverTurnMs : run.sourceTurnMs)),
          limit: STALL_MS_MAX,
        }),
        besideControl({
          ...line,
          variant: `${line.variant}, by the clock; against a process that does nothing`,
          unit: 'ms',
          value: of((run) => (isReceiver ? run.receiverStallMs : run.sourceStallMs)),
          control: of(({ idleStallMs }) => idleStallMs),
        }),
      ];
    }),
  ];
}
