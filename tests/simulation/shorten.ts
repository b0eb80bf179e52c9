import type { ScenarioReplica, Step } from '#main/scenario/scenario.ts';

import { JOINER } from './tell.ts';
import { tellAgain, type Told } from './simulate.ts';
import { restoredAfter, type Story } from './story.ts';

/** Tries that are made, whatever is left: a story that is long takes long. */
const TRIES_MAX = 400;

/** The shortest story that still has a fault of this kind, found by leaving steps and replicas out. */
export async function shorten(told: Told): Promise<Told> {
  const kind = told.faults[0]?.kind;
  const withoutRest = told.rest.length === 0;
  let best = told;
  let tries = 0;

  const isBetter = async (candidate: Story): Promise<boolean> => {
    if (tries >= TRIES_MAX) return false;
    tries += 1;
    const again = await tellAgain(withoutStrangers(candidate), { withoutRest });
    if (again.faults[0]?.kind !== kind) return false;
    best = again;
    return true;
  };
  await leaveOutSteps(() => best.story, isBetter);
  for (const { name } of best.story.replicas) if (name !== JOINER) await isBetter(without(best.story, name));
  await leaveOutSteps(() => best.story, isBetter);
  return best;
}

async function leaveOutSteps(
  left: () => Story,
  isBetter: (candidate: Story) => Promise<boolean>,
): Promise<void> {
  for (
    let size = Math.ceil(left().steps.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < left().steps.length;) {
      const { steps } = left();
      const kept = steps.filter((one, at) => at < from || at >= from + size || keepsJoinerAway(one));
      const candidate = { ...left(), steps: kept };
      if (kept.length === steps.length || !(await isBetter(candidate))) from += size;
    }
  }
}

/** Without these the one that joins at the end takes part in the story, and is not compared with the others. */
const keepsJoinerAway = (one: Step): boolean => one.kind === 'pause' && one.path.from === JOINER;

/** The story without a replica and what it does. */
function without(story: Story, name: string): Story {
  const replicas: readonly ScenarioReplica[] = story.replicas.filter((replica) => replica.name !== name);
  return { ...story, replicas, steps: story.steps.flatMap((one) => stepWithout(one, name)) };
}

function stepWithout(one: Step, name: string): readonly Step[] {
  if ('path' in one) {
    const { path } = one;
    return 'from' in path && (path.from === name || path.to === name) ? [] : [one];
  }
  if (!('on' in one)) return [one];
  const on = one.on.filter((other) => other !== name);
  return on.length === 0 ? [] : [{ ...one, on }];
}

/** Without what copies do that are not made any more, and files that would be put back to before there was anything. */
function withoutStrangers(story: Story): Story {
  const made = new Set(story.replicas.map(({ name }) => name));
  const steps = story.steps.filter((one) => {
    if (one.kind === 'copy' && made.has(one.from)) made.add(one.to);
    if (one.kind === 'restore' && restoredAfter(story.steps, one.fromStep) === 0) return false;
    return namesOf(one).every((name) => made.has(name));
  });
  return { ...story, steps };
}

function namesOf(one: Step): readonly string[] {
  if (one.kind === 'copy') return [one.from, one.to];
  if ('path' in one) return 'from' in one.path ? [one.path.from, one.path.to] : [];
  return 'on' in one ? one.on : [];
}
