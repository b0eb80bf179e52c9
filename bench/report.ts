import { cpus, totalmem } from 'node:os';

import Database from 'better-sqlite3';

import type { BenchOptions, BenchResult } from './bench.ts';

/** The machine and versions that a table was measured with. */
export function describeMachine(
  options: Omit<BenchOptions, 'folder'>,
): Readonly<Record<string, string | number>> {
  const db = new Database(':memory:');
  const sqlite = String(db.prepare('select sqlite_version()').pluck().get());
  db.close();
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    sqlite,
    date: new Date().toISOString().slice(0, 10),
    rows: options.rows,
    rounds: options.rounds,
  };
}

/** Results as a Markdown table. */
export function formatTable(results: readonly BenchResult[]): string {
  const header = ['name', 'variant', 'plain', 'Concord', 'ratio', 'wall ratio', 'target', 'met'];
  const lines = results.map((result) => [
    result.name,
    result.variant,
    `${formatNumber(result.baseline)} ${result.unit}`,
    `${formatNumber(result.value)} ${result.unit}`,
    result.ratio.toFixed(2),
    result.wall === null || result.wallBaseline === null
      ? ''
      : (result.wall / result.wallBaseline).toFixed(2),
    result.target === null ? '' : `${result.atLeast === true ? '≥' : '≤'} ${result.target}`,
    result.met === null ? '' : result.met ? 'yes' : 'no',
  ]);
  const all = [header, header.map(() => '---'), ...lines];
  const widths = header.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  return all
    .map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function formatNumber(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
