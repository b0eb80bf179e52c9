import type { ObjectDefinition } from '#shared/model/catalog-diff.ts';
import type { Rehearsal, RehearsedStep } from '#shared/model/rehearsal.ts';

import { canonicalStatement } from '../sql/canonical-statement.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { ScratchMeter } from '../store/scratch-cost.ts';
import type { Replica } from './replica.ts';

/** What a rehearsal came to: its steps, and what stood in its way. */
export interface RehearsalEnd {
  readonly steps: readonly RehearsedStep[];
  /** Why the statement cannot be written; null when it can. */
  readonly refused: string | null;
  /** Where an admission stopped: at the migrations themselves, or at what comes before them. */
  readonly stopped: { readonly message: string; readonly isEarlier: boolean } | null;
}

export interface RehearsalReport {
  readonly end: (end: RehearsalEnd) => Rehearsal;
}

/** Looks at a scratch replica before something is tried there, to tell afterwards what became of it. */
export function createRehearsalReport(replica: Replica, meter: ScratchMeter): RehearsalReport {
  const definitions = byObject(replica);
  const held = new Map(replica.heldCounts().map((count) => [heldKey(count), count.rows]));
  const findings = new Set(replica.findings().map(findingKey));

  return {
    end: (end) => {
      const rewritten = end.steps.filter(isDroppedColumn).map(({ object }) => object);
      const isDone = end.refused === null && end.stopped === null;
      const cost = isDone ? meter.read(rewritten) : { rows: 0, bytes: 0 };
      return {
        outcome: outcomeOf(end),
        message: end.refused ?? end.stopped?.message ?? '',
        steps: [...end.steps],
        ...cost,
        held: replica
          .heldCounts()
          .map((count) => ({ ...count, rows: count.rows - (held.get(heldKey(count)) ?? 0) }))
          .filter(({ rows }) => rows > 0),
        findings: replica
          .findings()
          .filter((finding) => !findings.has(findingKey(finding)))
          .map(({ kind, table, detail }) => ({ kind, table, detail })),
        result: changesSince(definitions, replica),
      };
    },
  };
}

/** SQLite writes all rows of a table anew in their place when it drops a column by itself. */
const isDroppedColumn = ({ type, verdict }: RehearsedStep): boolean =>
  type === 'drop_column' && verdict === 'executed';

function outcomeOf({ steps, refused, stopped }: RehearsalEnd): Rehearsal['outcome'] {
  if (refused !== null) return 'refused';
  if (stopped !== null) return stopped.isEarlier ? 'waits' : 'blocks';
  const has = (verdict: RehearsedStep['verdict']): boolean => steps.some((step) => step.verdict === verdict);
  if (has('convergedWithWarning')) return 'warns';
  if (has('executed')) return 'executes';
  // What is neither recorded nor refused waits with the object that a person set aside.
  return has(null) ? 'held' : 'nothing';
}

const heldKey = ({ table, reason }: { readonly table: string; readonly reason: string }): string =>
  `${reason} ${table}`;

const findingKey = ({
  kind,
  table,
  detail,
}: {
  readonly kind: string;
  readonly table: string;
  readonly detail: string;
}) => `${kind} ${table} ${detail}`;

const byObject = (replica: Replica): ReadonlyMap<string, ObjectDefinition> =>
  new Map(replica.definitions().map((definition) => [`${definition.kind} ${definition.name}`, definition]));

function changesSince(before: ReadonlyMap<string, ObjectDefinition>, replica: Replica): Rehearsal['result'] {
  const after = byObject(replica);
  const isChanged = ([key, { sql, isParked }]: readonly [string, ObjectDefinition]): boolean => {
    const was = before.get(key);
    // What is parked is told by the text that it was recorded with.
    return was?.isParked !== isParked || (!isParked && was.sql !== sql);
  };
  return [
    ...[...after]
      .filter(isChanged)
      .map(([, { kind, name, sql, isParked }]) => ({ kind, name, ddl: canonicalOf(sql), isParked })),
    ...[...before]
      .filter(([key]) => !after.has(key))
      .map(([, { kind, name }]) => ({ kind, name, ddl: null, isParked: false })),
  ];
}

function canonicalOf(sql: string): string {
  const parsed = parseDdl(sql);
  return parsed.ok ? canonicalStatement(parsed.value) : sql;
}
