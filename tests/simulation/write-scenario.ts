import { stringify } from 'yaml';

import type {
  Arrow,
  Delivery,
  Expectation,
  ScenarioReplica,
  Step,
  StepAction,
} from '#main/scenario/scenario.ts';

/** A scenario file of these steps, in the language that `concord scenario` reads. */
export function writeScenario(scenario: {
  readonly title: string;
  /** Lines for people, before everything. */
  readonly notes: readonly string[];
  readonly replicas: readonly ScenarioReplica[];
  readonly steps: readonly Step[];
}): string {
  const document = {
    title: scenario.title,
    replicas: Object.fromEntries(scenario.replicas.map((replica) => [replica.name, replicaNode(replica)])),
    steps: scenario.steps.map(stepNode),
  };
  const notes = scenario.notes.map((note) => `# ${note.replaceAll(/\s+/g, ' ')}\n`).join('');
  return (
    notes +
    stringify(document, { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false })
  );
}

type Node = Readonly<Record<string, unknown>>;

function replicaNode({ clockOffsetMs, origin, settings }: ScenarioReplica): Node {
  return {
    ...settings,
    ...(clockOffsetMs !== 0 && { clock: `${clockOffsetMs}ms` }),
    ...(origin.kind === 'sql' && { attachSql: origin.sql }),
  };
}

function stepNode({ line: _line, fails, mayFail, ...action }: Step): Node {
  return {
    ...actionNode(action),
    ...(fails !== undefined && { fails }),
    ...(mayFail === true && { mayFail }),
  };
}

function actionNode(action: StepAction): Node {
  const write: ((action: never) => Node) | undefined = WRITERS[action.kind];
  // Each writer stands under the kind that it writes.
  return write === undefined ? { [action.kind]: recordNode(action) } : write(action as never);
}

type Of<K extends StepAction['kind']> = Extract<StepAction, { kind: K }>;

const WRITERS: { readonly [K in StepAction['kind']]?: (action: Of<K>) => Node } = {
  sql: ({ on, sql, killAtWrite }) => ({ on: names(on), sql, ...deathNode(killAtWrite) }),
  external: ({ on, sql }) => ({ on: names(on), external: sql }),
  notice: ({ on, killAtWrite }) => ({ notice: names(on), ...deathNode(killAtWrite) }),
  wait: ({ ms }) => ({ wait: `${ms}ms` }),
  sync: ({ path, delivery }) => ({
    sync: path.kind === 'all' ? 'all' : arrowText(path),
    ...deliveryNode(delivery),
  }),
  clock: ({ on, offsetMs }) => ({ clock: { on: names(on), offset: `${offsetMs}ms` } }),
  pause: ({ path }) => ({ pause: arrowText(path) }),
  resume: ({ path }) => ({ resume: arrowText(path) }),
  crash: ({ on }) => ({ crash: names(on) }),
  reopen: ({ on }) => ({ reopen: names(on) }),
  restore: ({ on, fromStep }) => ({ restore: { on: names(on), from: `step ${fromStep}` } }),
  prune: ({ on, olderThanMs }) => ({ prune: { on: names(on), olderThan: `${olderThanMs}ms` } }),
  expect: ({ expectation }) => ({ expect: expectationNode(expectation) }),
};

/** Steps whose keys are written as they are called. */
function recordNode({ kind: _kind, ...rest }: StepAction): Node {
  return Object.fromEntries(
    // What a peer is blocked for has no object.
    Object.entries(rest)
      .filter(([key, value]) => key !== 'object' || value !== '')
      .map(([key, value]) => [key, key === 'on' ? names(value as readonly string[]) : value]),
  );
}

const names = (list: readonly string[]): string | readonly string[] =>
  list.length === 1 ? (list[0] ?? '') : list;

const arrowText = ({ from, to, isBothWays }: Arrow): string => `${from} ${isBothWays ? '<->' : '->'} ${to}`;

const deathNode = (killAtWrite: number | undefined): Node =>
  killAtWrite === undefined ? {} : { with: { killAtWrite } };

function deliveryNode({ duplicate, reorder, drop, killAfter, ...rest }: Delivery): Node {
  const how = {
    ...(duplicate && { duplicate }),
    ...(reorder && { reorder }),
    ...(drop > 0 && { drop }),
    ...(killAfter !== undefined && { killAfter: `${killAfter * 100}%` }),
    ...rest,
  };
  return Object.keys(how).length === 0 ? {} : { with: how };
}

function expectationNode(expectation: Expectation): Node {
  switch (expectation.kind) {
    case 'converged':
    case 'diverged':
    case 'notBlocked':
    case 'integrity':
      return { [expectation.kind]: names(expectation.replicas) };
    case 'rows':
      return { rows: { on: names(expectation.on), sql: expectation.sql, are: expectation.are } };
    default:
      return { [expectation.kind]: recordNode(expectation as unknown as StepAction) };
  }
}
