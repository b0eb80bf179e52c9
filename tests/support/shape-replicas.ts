import { migrationTypeOf } from '#main/engine/migration/migration-type-of.ts';
import { expect } from 'vitest';

import { foldShape, type FoldedTable } from '#main/engine/shape/fold-shape.ts';
import { planAlterations, type PlannedAlterations } from '#main/engine/shape/plan-alterations.ts';
import { UNCHANGED_NAMES, type ShapeRecord } from '#main/engine/shape/shape-record.ts';
import { applyAlteration } from '#main/sql/apply-alteration.ts';
import type { AlterAction, TableDefinition } from '#main/sql/ast.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { comparableTable, compareTables } from '#main/sql/compare-tables.ts';
import { columnsNamed } from '#main/sql/expression-names.ts';
import { foldIdentifier } from '#main/sql/fold-identifier.ts';
import { migrationId, siteId } from './ids.ts';
import { applyAll, statementOf } from './shape-world.ts';

/** One replica's table: as it stands, and what is recorded for it. */
interface ShapeReplica {
  readonly table: TableDefinition;
  readonly keys: ReadonlyMap<string, string>;
  readonly records: readonly ShapeRecord[];
}

/** Replicas of one table, altered and pulled in any order, without files: every alteration is the pure one. */
export interface ShapeReplicas {
  /** Does an alteration at a site where its table allows it. */
  readonly alter: (site: number, sql: string) => void;
  /** The site takes in what another knows, and alters its table as its record then says. */
  readonly pull: (site: number, from: number) => void;
  /** An operator at the site gives the table what `change` makes of its definition. */
  readonly decide: (site: number, change: (table: TableDefinition) => TableDefinition) => void;
  readonly texts: () => readonly string[];
  readonly records: (site: number) => readonly ShapeRecord[];
}

export interface ShapeRules {
  readonly fold: (records: readonly ShapeRecord[]) => FoldedTable | null;
  readonly plan: typeof planAlterations;
}

export function createShapeReplicas(
  sites: number,
  sql: string,
  rules: ShapeRules = { fold: foldShape, plan: planAlterations },
): ShapeReplicas {
  let clock = 0;
  const replicas = new Map<number, ShapeReplica>();
  const statement = statementOf(sql);
  if (statement.kind !== 'createTable') throw new Error(`${sql} makes no table.`);
  const keys = new Map(statement.table.columns.map(({ name }) => [foldIdentifier(name), `${name}#0`]));
  const creation = record({ site: 0, statement, keys, subject: null, records: [] });
  for (let site = 0; site < sites; site += 1)
    replicas.set(site, { table: statement.table, keys, records: [creation] });
  return { alter, pull, decide, texts, records: (site) => replicaOf(site).records };

  function alter(site: number, text: string): void {
    const replica = replicaOf(site);
    const { name } = replica.table;
    const altering = statementOf(`alter table "${name}" ${text.replaceAll('self', name)}`);
    if (altering.kind !== 'alterTable') throw new Error(text);
    const { action } = altering;
    const altered = applyAlteration(replica.table, action);
    if (!altered.ok || altered.value === replica.table || !hasColumnsNamed(altered.value)) return;
    const after = keysAfter(replica, action);
    const named = new Map([...replica.keys, ...after]);
    const subject = 'column' in action ? subjectOf(action, named) : null;
    const written = record({ site, statement: altering, keys: named, subject, records: replica.records });
    const next = { table: altered.value, keys: after, records: [...replica.records, written] };
    // Of two columns that claimed one name, which a gate refuses, one gets its name once the other is gone.
    if ([...replica.keys.keys()].some((column) => /_\d+$/.test(column))) {
      replicas.set(site, takeIn(next, next.records));
      return;
    }
    expectSettled(next, rules);
    replicas.set(site, next);
  }

  function pull(site: number, from: number): void {
    const replica = replicaOf(site);
    const known = new Map([...replica.records, ...replicaOf(from).records].map((one) => [one.id, one]));
    replicas.set(site, takeIn(replica, [...known.values()]));
  }

  function decide(site: number, change: (table: TableDefinition) => TableDefinition): void {
    const replica = replicaOf(site);
    const table = change(replica.table);
    if (!hasColumnsNamed(table)) return;
    const names = new Set(table.columns.map(({ name }) => foldIdentifier(name)));
    const after = new Map([...replica.keys].filter(([name]) => names.has(name)));
    const decision = record({
      site,
      statement: { kind: 'createTable', temporary: false, ifNotExists: false, table },
      keys: after,
      subject: null,
      records: replica.records,
    });
    const next = {
      table,
      keys: after,
      records: [...replica.records, { ...decision, type: 'redefine_table' as const }],
    };
    expectSettled(next, rules);
    replicas.set(site, next);
  }

  function takeIn(replica: ShapeReplica, records: readonly ShapeRecord[]): ShapeReplica {
    const wanted = rules.fold(records);
    if (wanted === null) throw new Error('Nothing drops the table.');
    const plan = rules.plan({ current: replica.table, currentColumns: replica.keys, wanted });
    const reached = reach(replica.table, plan, wanted);
    const wantedKeys = new Map(wanted.columns.map(({ key, name }) => [foldIdentifier(name), key]));
    const next = { table: reached, keys: wantedKeys, records };
    expectSettled(next, rules);
    return next;
  }

  function record(input: {
    readonly site: number;
    readonly statement: ShapeRecord['statement'];
    readonly keys: ReadonlyMap<string, string>;
    readonly subject: string | null;
    readonly records: readonly ShapeRecord[];
  }): ShapeRecord {
    clock += 1;
    const { site, subject, statement: written } = input;
    const knew: Record<string, bigint> = {};
    for (const { stamp } of input.records)
      knew[stamp.site] = stamp.hlc > (knew[stamp.site] ?? 0n) ? stamp.hlc : (knew[stamp.site] ?? 0n);
    return {
      id: migrationId(clock),
      type: written.kind === 'alterTable' ? migrationTypeOf(written.action) : 'create_table',
      stamp: { hlc: BigInt(clock), site: siteId(site) },
      knew,
      statement: written,
      columnIds: input.keys,
      subject,
      unifies: [],
      others: UNCHANGED_NAMES,
    };
  }

  function replicaOf(site: number): ShapeReplica {
    const replica = replicas.get(site);
    if (replica === undefined) throw new Error(`There is no site ${String(site)}.`);
    return replica;
  }

  function texts(): readonly string[] {
    return [...replicas.values()].map(({ table }) =>
      comparableTable(table, ({ kind }) => kind !== 'check' && kind !== 'foreignKey'),
    );
  }
}

/** What is there is what the record says, and stays so. */
function expectSettled({ table, keys, records }: ShapeReplica, { fold, plan }: ShapeRules): void {
  const wanted = fold(records);
  if (wanted === null) throw new Error('Nothing drops the table.');
  const planned = plan({ current: table, currentColumns: keys, wanted });
  expect(planned, `${canonicalTable(table)}\nis to be\n${canonicalTable(wanted.definition)}`).toEqual({
    actions: [],
    isComplete: true,
  });
}

function reach(current: TableDefinition, plan: PlannedAlterations, wanted: FoldedTable): TableDefinition {
  const reached = applyAll(current, plan.actions);
  if (!plan.isComplete) return wanted.definition;
  const { differences } = compareTables(reached, wanted.definition);
  expect(differences.filter(({ kind }) => !MAY_DIFFER.has(kind))).toEqual([]);
  return reached;
}

/** SQLite refuses a CHECK on a column that is not there. */
const hasColumnsNamed = (table: TableDefinition): boolean => {
  const names = new Set(table.columns.map(({ name }) => foldIdentifier(name)));
  return table.constraints.every(
    (one) => one.kind !== 'check' || [...columnsNamed(one.expression)].every((name) => names.has(name)),
  );
};

const MAY_DIFFER: ReadonlySet<string> = new Set(['check', 'foreignKey', 'constraintName']);

const subjectOf = (action: AlterAction, keys: ReadonlyMap<string, string>): string | null => {
  if (action.kind === 'addColumn') return keys.get(foldIdentifier(action.column.name)) ?? null;
  return 'column' in action ? (keys.get(foldIdentifier(action.column)) ?? null) : null;
};

function keysAfter({ keys, records }: ShapeReplica, action: AlterAction): ReadonlyMap<string, string> {
  if (action.kind === 'addColumn') {
    const name = foldIdentifier(action.column.name);
    // Adds of one name that did not know of each other are twins.
    const known = new Set(records.flatMap(({ columnIds }) => [...columnIds.values()]));
    const before = [...known].filter((key) => key.startsWith(`${name}#`)).length;
    return new Map([...keys, [name, `${name}#${String(before)}`]]);
  }
  if (!('column' in action)) return keys;
  const name = foldIdentifier(action.column);
  const rest = [...keys].filter(([other]) => other !== name);
  if (action.kind === 'dropColumn') return new Map(rest);
  if (action.kind !== 'renameColumn') return keys;
  return new Map([...rest, [foldIdentifier(action.newName), keys.get(name) ?? '']]);
}
