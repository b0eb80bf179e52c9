import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  visit,
  type Document,
  type ParsedNode,
} from 'yaml';

import { err, ok, type Result } from '#shared/result.ts';
import { parseStep } from './parse-step.ts';
import { ScenarioMistake } from './scenario-mistake.ts';
import { offset } from './duration-and-share.ts';
import { newReplica } from './replica-names.ts';
import type { ReplicaOrigin, ReplicaSettings, Scenario, ScenarioReplica, Step } from './scenario.ts';
import {
  filledList,
  filledText,
  mapPlaces,
  mistake,
  nullOr,
  optional,
  record,
  required,
  text,
  whole,
  word,
  type Place,
  type Scope,
} from './yaml-readers.ts';

/** Where and why a scenario file cannot be understood. Lines count from 1. */
export interface ScenarioUnreadable {
  readonly code: 'scenario-not-understood';
  readonly line: number;
  readonly message: string;
}

const DRIFT_MAX_MS = 2n ** 48n - 1n;
const PAGE_FACTS_MAX = 1000n;

const settingFields = {
  maxDriftMs: optional(whole(0n, DRIFT_MAX_MS)),
  pageFacts: optional(whole(1n, PAGE_FACTS_MAX)),
  onDivergence: optional(word(['block', 'setAside'])),
  columnTypeConflict: optional(word(['block', 'lastWriterWins'])),
};
const readSettings = record(settingFields);
const readReplica = record({
  ...settingFields,
  clock: optional(offset),
  attach: optional(filledText),
  attachSql: optional(text),
});

const readScenario = record({
  title: required(filledText),
  settings: optional(nullOr(readSettings)),
  replicas: required(readReplicas),
  steps: required(filledList(parseStep)),
});

/**
 * Reads a scenario file whole: YAML 1.2 core schema, no anchors and aliases, integers exact to 64 bits.
 *
 * Errors: `scenario-not-understood` with the line of the first mistake. A scenario that comes back names
 * only replicas that are there at that step.
 */
export function parseScenario(source: string): Result<Scenario, ScenarioUnreadable> {
  try {
    return ok(readDocument(source));
  } catch (cause) {
    if (!(cause instanceof ScenarioMistake)) throw cause;
    return err({ code: 'scenario-not-understood', line: cause.line, message: cause.message });
  }
}

function readDocument(source: string): Scenario {
  const lines = new LineCounter();
  const documents = parseAllDocuments(source, {
    version: '1.2',
    schema: 'core',
    intAsBigInt: true,
    lineCounter: lines,
    prettyErrors: false,
    merge: false,
  });
  const [document, second] = 'empty' in documents ? [] : documents;
  if (document === undefined) return mistake({ line: 1 }, 'the file is empty');
  if (second !== undefined) {
    return mistake(
      { line: lines.linePos(second.range[0]).line },
      'a second document begins: one scenario a file',
    );
  }
  refuseBadYaml(document, lines);
  const scope: Scope = { lines, replicas: new Set() };
  const place: Place = { node: document.contents, line: 1, what: 'a scenario' };
  const { title, settings, replicas, steps } = readScenario(place, scope);
  const scenario = { title, settings: toSettings(settings ?? {}), replicas, steps };
  refuseBadRestores(scenario.steps);
  return scenario;
}

function refuseBadYaml(document: Document.Parsed, lines: LineCounter): void {
  const [trouble] = [...document.errors, ...document.warnings];
  if (trouble !== undefined) mistake({ line: lines.linePos(trouble.pos[0]).line }, trouble.message);
  visit(document, (_key, node) => {
    if (!isNode(node) || !node.range) return;
    const line = lines.linePos(node.range[0]).line;
    if (isAlias(node)) mistake({ line }, `"*${node.source}" is an alias; scenario files have none`);
    if (node.anchor !== undefined)
      mistake({ line }, `"&${node.anchor}" is an anchor; scenario files have none`);
    if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:')) {
      mistake({ line }, `"${node.tag}" is a tag; scenario files have none`);
    }
  });
}

function readReplicas(place: Place, scope: Scope): readonly ScenarioReplica[] {
  const places = [...mapPlaces(place, scope)];
  if (places.length === 0) return mistake(place, '"replicas" is empty');
  return places.map(([name, at]) => {
    newReplica({ ...at, node: nameNode(place.node, name) }, scope);
    scope.replicas.add(name);
    return toReplica(name, { ...at, what: `replica "${name}"` }, scope);
  });
}

function toReplica(name: string, place: Place, scope: Scope): ScenarioReplica {
  const said = isScalar(place.node) && place.node.value === null ? {} : readReplica(place, scope);
  return {
    name,
    settings: toSettings(said),
    clockOffsetMs: said.clock ?? 0,
    origin: toOrigin(said, place),
  };
}

function toOrigin(
  said: { readonly attach?: string; readonly attachSql?: string },
  place: Place,
): ReplicaOrigin {
  if (said.attach !== undefined && said.attachSql !== undefined) {
    return mistake(place, `${place.what} has both "attach" and "attachSql": a file has one origin`);
  }
  if (said.attach !== undefined) return { kind: 'file', path: said.attach };
  if (said.attachSql !== undefined) return { kind: 'sql', sql: said.attachSql };
  return { kind: 'fresh' };
}

function toSettings(said: {
  readonly maxDriftMs?: bigint;
  readonly pageFacts?: bigint;
  readonly onDivergence?: 'block' | 'setAside';
  readonly columnTypeConflict?: 'block' | 'lastWriterWins';
}): ReplicaSettings {
  return {
    ...(said.maxDriftMs !== undefined && { maxDriftMs: Number(said.maxDriftMs) }),
    ...(said.pageFacts !== undefined && { pageFacts: Number(said.pageFacts) }),
    ...(said.onDivergence !== undefined && { onDivergence: said.onDivergence }),
    ...(said.columnTypeConflict !== undefined && { columnTypeConflict: said.columnTypeConflict }),
  };
}

function refuseBadRestores(steps: readonly Step[]): void {
  const madeAt = new Map(
    steps.flatMap((step, index) => (step.kind === 'copy' ? [[step.to, index + 1] as const] : [])),
  );
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'restore') continue;
    if (step.fromStep > index) {
      mistake(step, `step ${step.fromStep} is not before this one, which is step ${index + 1}`);
    }
    const early = step.on.find((name) => (madeAt.get(name) ?? 0) > step.fromStep);
    if (early !== undefined) mistake(step, `there was no replica "${early}" yet after step ${step.fromStep}`);
  }
}

/** The key itself as a node, so that the reader of names can judge it. */
function nameNode(node: ParsedNode | null, name: string): ParsedNode | null {
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === name);
  return pair?.key ?? null;
}
