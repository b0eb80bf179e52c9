import type { Database } from 'better-sqlite3';

import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { directionOf } from '#main/scenario/scenario-links.ts';
import type { Step, SyncPath } from '#main/scenario/scenario.ts';

import { createLedger, type Lost } from './ledger.ts';
import type { Presence } from './presence.ts';
import { goneOnTheWay, mayPassBy, type GoneRow } from './short-lived-rows.ts';
import type { Stage } from './stage.ts';
import { sqlLiteral } from './row-statements.ts';
import { mayTakeAway } from './take-away.ts';
import type { Fault, FaultKind } from './story.ts';
import { createWatch } from './watch.ts';

/** Plays steps and looks at what must hold after each. */
export interface Performance {
  readonly act: (step: Step) => Promise<readonly Fault[]>;
  /** Looks at every replica, thoroughly. */
  readonly lookAtAll: () => Promise<readonly Fault[]>;
  /** What came back that somebody had taken away. */
  readonly cameBack: () => readonly Fault[];
  readonly steps: () => number;
}

/** The file as a whole is checked after every so-manieth step, and at rest. */
const THOROUGH_EVERY = 8;

export function createPerformance(stage: Stage, trace: (line: string) => void): Performance {
  const ledger = createLedger();
  const watch = createWatch(stage);
  const presences = new Map<string, Presence>(stage.names().map((name) => [name, stage.presence(name)]));
  let count = 0;

  return { act, lookAtAll, cameBack, steps: () => count };

  async function act(step: Step): Promise<readonly Fault[]> {
    count += 1;
    trace(`${count} ${JSON.stringify(step)}`);
    const wasUp = new Set(stage.names().filter(stage.isUp));
    const befores = new Map(ownersOf(step).map((name) => [name, lookBefore(step, name)]));
    const { fault, hasFailed } = await play(step);
    if (fault !== null) return [fault];
    const faults: Fault[] = [];
    for (const name of touchedBy(step)) {
      faults.push(...account(step, { name, known: befores.get(name) ?? NOTHING, hasFailed }));
      noteSight(step, { name, wasUp: wasUp.has(name), hasFailed });
      faults.push(...(await watch.look(name, howThorough(step, name))));
    }
    return faults;
  }

  function lookBefore(step: Step, name: string): KnownBefore {
    const before = presences.get(name);
    if (before === undefined || !isOwn(step)) return NOTHING;
    return stage.look(name, (db) => ({
      stamp: lastStamp(db),
      gone: mayPassBy(step.sql)
        ? goneOnTheWay(db, {
            content: before.content,
            sql: step.sql,
            by: step.kind === 'sql' ? 'concord' : 'other',
          })
        : [],
    }));
  }

  /** Serving changes little: it is looked at more seldom. */
  function howThorough(step: Step, name: string) {
    const isServing =
      step.kind === 'sync' && step.path.kind === 'pair' && !step.path.isBothWays && step.path.from === name;
    const thorough = count % THOROUGH_EVERY === 0;
    return { thorough, bookkeeping: thorough || !isServing };
  }

  async function play({ mayFail, ...step }: Step): Promise<Played> {
    try {
      const outcome = await stage.play(step);
      if (outcome.passed) return { fault: null, hasFailed: false };
      trace(`  ${outcome.there}`);
      if (mayFail === true && !outcome.isUnsupported) return { fault: null, hasFailed: true };
      return {
        fault: faultOf('refused', `expected ${outcome.expected}; there: ${outcome.there}`),
        hasFailed: true,
      };
    } catch (cause) {
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      return { fault: faultOf('threw', text), hasFailed: true };
    }
  }

  function touchedBy(step: Step): readonly string[] {
    switch (step.kind) {
      case 'sync':
        return syncing(step.path);
      case 'copy':
        return [step.from, step.to];
      case 'clock':
      case 'wait':
        return [];
      case 'resolve':
        // Whichever file is behind the line that stands becomes the new site.
        return step.with === 'newSite' ? stage.names() : step.on;
      default:
        return 'on' in step ? step.on : [];
    }
  }

  function syncing(path: SyncPath): readonly string[] {
    const isUp = (from: string, to: string): boolean => !stage.world.links.isPaused(directionOf(from, to));
    if (path.kind === 'pair') {
      const isMoving = isUp(path.from, path.to) || (path.isBothWays && isUp(path.to, path.from));
      return isMoving ? [path.from, path.to] : [];
    }
    return stage
      .names()
      .filter((name) =>
        stage.names().some((other) => other !== name && (isUp(name, other) || isUp(other, name))),
      );
  }

  function account(
    step: Step,
    {
      name,
      known,
      hasFailed,
    }: { readonly name: string; readonly known: KnownBefore; readonly hasFailed: boolean },
  ): readonly Fault[] {
    const before = presences.get(name);
    const after = stage.presence(name);
    presences.set(name, after);
    if (before === undefined) return [];
    const change = { replica: name, step: step.line, before, after };
    if (step.kind === 'restore') {
      ledger.wasRestored(change, step.fromStep);
      watch.forget(name);
      return [];
    }
    if (!isOwn(step)) return stage.look(name, (db) => ledger.tookIn(change, db)).map(lostFault);
    const stamps = {
      above: known.stamp,
      upTo: step.kind === 'sql' && !hasFailed ? stage.look(name, lastStamp) : null,
      mayRevive: /\b(?:replace|delete)\b/i.test(step.sql),
    };
    return ledger.ran(change, { mayTake: mayTakeAway(step.sql), stamps, gone: known.gone }).map(lostFault);
  }

  /** A host surely looks when it opens a file, when it is told to, when its own SQL runs, and before it serves. */
  function noteSight(
    step: Step,
    {
      name,
      wasUp,
      hasFailed,
    }: { readonly name: string; readonly wasUp: boolean; readonly hasFailed: boolean },
  ): void {
    if (step.kind === 'external') watch.unseen(name);
    else if (!wasUp && stage.isUp(name)) watch.seen(name);
    else if (!hasFailed && stage.isUp(name) && looks(step, name)) watch.seen(name);
  }

  function looks(step: Step, name: string): boolean {
    if (step.kind !== 'sync') return step.kind === 'sql' || step.kind === 'notice';
    const others = step.path.kind === 'all' ? stage.names() : [step.path.from, step.path.to];
    const isServed = step.path.kind === 'all' || step.path.isBothWays || step.path.from === name;
    return (
      isServed &&
      step.delivery.killAtWrite === undefined &&
      others.some((other) => other !== name && !stage.world.links.isPaused(directionOf(name, other)))
    );
  }

  async function lookAtAll(): Promise<readonly Fault[]> {
    const faults: Fault[] = [];
    for (const name of stage.names())
      faults.push(...(await watch.look(name, { thorough: true, bookkeeping: true })));
    return faults;
  }

  function cameBack(): readonly Fault[] {
    return [...presences.values()].flatMap((presence) =>
      ledger.cameBack(presence).map((text) => faultOf('cameBack', text)),
    );
  }
}

/** What is known of a replica before its own statements run. */
interface KnownBefore {
  readonly stamp: bigint;
  readonly gone: readonly GoneRow[];
}

const NOTHING: KnownBefore = { stamp: 0n, gone: [] };

type OwnStep = Extract<Step, { kind: 'sql' | 'external' }>;

const isOwn = (step: Step): step is OwnStep => step.kind === 'sql' || step.kind === 'external';

const ownersOf = (step: Step): readonly string[] => (isOwn(step) ? step.on : []);

/** The newest stamp that the replica gave or took in, as far as it is noticed. */
const lastStamp = (db: Database): bigint =>
  db
    .prepare<[], bigint>('select coalesce(max(hlc), 0) from _concord_log where kind = 8')
    .safeIntegers()
    .pluck()
    .get() ?? 0n;

interface Played {
  readonly fault: Fault | null;
  /** Refused, as it may be. */
  readonly hasFailed: boolean;
}

/** A scenario asks for the value where it was last. */
function lostFault({ text, replica, place }: Lost): Fault {
  if (place.kind === 'held') return faultOf('lost', text);
  const { table, row, column } = place;
  const name = quoteIdentifier(table.columns[column]?.name ?? '');
  const sql = `SELECT count(*) FROM ${quoteIdentifier(table.name)} WHERE ${name} IS ${sqlLiteral(row.values[column])}`;
  const expectation = { kind: 'rows', on: [replica], sql, are: [[1n]] } as const;
  return { kind: 'lost', text, expects: { kind: 'expect', expectation } };
}

const faultOf = (kind: FaultKind, text: string): Fault => ({ kind, text, expects: null });
