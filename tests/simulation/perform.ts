import type { Step } from '#main/scenario/scenario.ts';

import { createLedger } from './ledger.ts';
import type { Presence } from './presence.ts';
import type { Stage } from './stage.ts';
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
  const presences = new Map<string, Presence>(stage.names.map((name) => [name, stage.presence(name)]));
  let count = 0;

  return { act, lookAtAll, cameBack, steps: () => count };

  async function act(step: Step): Promise<readonly Fault[]> {
    count += 1;
    trace(`${count} ${JSON.stringify(step)}`);
    const fault = await play(step);
    if (fault !== null) return [fault];
    const faults: Fault[] = [];
    for (const name of touchedBy(step)) {
      faults.push(...account(step, name));
      noteSight(step, name);
      faults.push(...(await watch.look(name, { thorough: count % THOROUGH_EVERY === 0 })));
    }
    return faults;
  }

  async function play(step: Step): Promise<Fault | null> {
    try {
      const outcome = await stage.play(step);
      if (outcome.passed) return null;
      return faultOf('refused', `expected ${outcome.expected}; there: ${outcome.there}`);
    } catch (cause) {
      return faultOf('threw', cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    }
  }

  function touchedBy(step: Step): readonly string[] {
    switch (step.kind) {
      case 'sync':
        return step.path.kind === 'all' ? stage.names : [step.path.from, step.path.to];
      case 'clock':
      case 'wait':
        return [];
      default:
        return 'on' in step ? step.on : [];
    }
  }

  function account(step: Step, name: string): readonly Fault[] {
    const before = presences.get(name);
    const after = stage.presence(name);
    presences.set(name, after);
    if (before === undefined) return [];
    const change = { replica: name, step: count, before, after };
    const isOwn = step.kind === 'sql' || step.kind === 'external';
    const lost = isOwn
      ? ledger.ran(change, mayTakeAway(step.sql))
      : stage.look(name, (db) => ledger.tookIn(change, db));
    return lost.map((text) => faultOf('lost', text));
  }

  function noteSight(step: Step, name: string): void {
    if (step.kind === 'external') watch.unseen(name);
    else if (step.kind !== 'crash' && step.kind !== 'reopen') watch.seen(name);
  }

  async function lookAtAll(): Promise<readonly Fault[]> {
    const faults: Fault[] = [];
    for (const name of stage.names) faults.push(...(await watch.look(name, { thorough: true })));
    return faults;
  }

  function cameBack(): readonly Fault[] {
    return [...presences.values()].flatMap((presence) =>
      ledger.cameBack(presence).map((text) => faultOf('cameBack', text)),
    );
  }
}

const faultOf = (kind: FaultKind, text: string): Fault => ({ kind, text, expects: null });
