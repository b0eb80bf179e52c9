import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { admitCells } from './admit-cells.ts';
import { admitRows } from './admit-rows.ts';
import { attachBig } from './attach-big.ts';
import type { Bench, BenchResult } from './bench.ts';
import { captureInsert } from './capture-insert.ts';
import { captureSmall } from './capture-small.ts';
import { captureUnique } from './capture-unique.ts';
import { captureDelete, captureUpdate } from './capture-update.ts';
import { catalogCompare } from './catalog-compare.ts';
import { memoryHost } from './memory-host.ts';
import { migrateOne } from './migrate-one.ts';
import { openBig } from './open-big.ts';
import { pageCost } from './page-cost.ts';
import { quietSync } from './quiet-sync.ts';
import { describeMachine, formatTable } from './report.ts';
import { syncEndToEnd } from './sync-end-to-end.ts';
import { syncPeers } from './sync-peers.ts';
import { syncWire } from './sync-wire.ts';

// npm run bench                              the table
// npm run bench -- --json                    the same as JSON
// npm run bench -- --only NAME,NAME --rows N --rounds N
//
// What is under way is told on stderr.

const BENCHES: readonly Bench[] = [
  captureInsert,
  captureUpdate,
  captureDelete,
  captureSmall,
  captureUnique,
  admitRows,
  admitCells,
  syncEndToEnd,
  syncPeers,
  syncWire,
  pageCost,
  quietSync,
  attachBig,
  memoryHost,
  openBig,
  migrateOne,
  catalogCompare,
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
  },
});

const rows = Number(values.rows);
const rounds = Number(values.rounds);
const only = values.only?.split(',');
const chosen = BENCHES.filter(({ names }) => only === undefined || names.some((name) => only.includes(name)));
if (chosen.length === 0 || !Number.isInteger(rows) || rows < 1 || !Number.isInteger(rounds) || rounds < 1) {
  const names = BENCHES.flatMap((bench) => bench.names).join(', ');
  console.error(`Benches: ${names}; --rows and --rounds are whole numbers.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'concord-bench-'));
try {
  const results: BenchResult[] = [];
  for (const bench of chosen) {
    const beganMs = performance.now();
    process.stderr.write(`${bench.names.join(', ')} ...`);
    const measured = await bench.run({ rows, rounds, folder });
    results.push(...measured.filter(({ name }) => only === undefined || only.includes(name)));
    process.stderr.write(` ${((performance.now() - beganMs) / 1_000).toFixed(0)} s\n`);
  }
  const machine = describeMachine({ rows, rounds });
  if (values.json) console.log(JSON.stringify({ machine, results }, null, 2));
  else
    console.log(
      `${formatTable(results)}\n\n${Object.entries(machine)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
