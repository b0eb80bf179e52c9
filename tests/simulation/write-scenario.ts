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
    ...actionNode(action as StepAction),
    ...(fails !== undefined && { fails }),
    ...(mayFail === true && { mayFail }),
  };
}

function actionNode(action: StepAction): Node {
  switch (action.kind) {
    case 'sql':
      return { on: names(action.on), sql: action.sql, ...deathNode(action.killAtWrite) };
    case 'external':
      return { on: names(action.on), external: action.sql };
    case 'notice':
      return { notice: names(action.on), ...deathNode(action.killAtWrite) };
    case 'wait':
      return { wait: `${action.ms}ms` };
    case 'sync':
      return {
        sync: action.path.kind === 'all' ? 'all' : arrowText(action.path),
        ...deliveryNode(action.delivery),
      };
    case 'clock':
      return { clock: { on: names(action.on), offset: `${action.offsetMs}ms` } };
    case 'pause':
    case 'resume':
      return { [action.kind]: arrowText(action.path) };
    case 'crash':
    case 'reopen':
      return { [action.kind]: names(action.on) };
    case 'restore':
      return { restore: { on: names(action.on), from: `step ${action.fromStep}` } };
    case 'prune':
      return { prune: { on: names(action.on), olderThan: `${action.olderThanMs}ms` } };
    case 'expect':
      return { expect: expectationNode(action.expectation) };
    default:
      return { [action.kind]: recordNode(action) };
  }
}

/** Steps whose keys are written as they are called. */
function recordNode({ kind: _kind, ...rest }: StepAction): Node {
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'on' ? names(value as readonly string[]) : value,
    ]),
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
