import type { MigrationType } from '#shared/model/vocabulary.ts';
import { migrationTypeOf } from '#main/engine/migration/migration-type-of.ts';
import type { ShapeRecord } from '#main/engine/shape/shape-record.ts';
import { UNCHANGED_NAMES } from '#main/engine/shape/shape-record.ts';
import type { AlterAction, DdlStatement, TableDefinition } from '#main/sql/ast.ts';
import { applyAlteration } from '#main/sql/apply-alteration.ts';
import { foldIdentifier } from '#main/sql/fold-identifier.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';
import { migrationId, siteId } from './ids.ts';

export const statementOf = (sql: string): DdlStatement => {
  const parsed = parseDdl(sql);
  if (!parsed.ok) throw new Error(`${sql}: ${parsed.error.message}`);
  return parsed.value;
};

/** Sites that write statements about one table, each knowing what it pulled. Time is one clock for all of them. */
export interface ShapeWorld {
  /** Site `site` writes a statement, as it would against the table as it stands there; returns the record. */
  readonly write: (site: number, sql: string) => ShapeRecord;
  /** An operator at `site` decides: the creations that `unifies` names become one. */
  readonly decide: (site: number, sql: string, unifies: readonly ShapeRecord[]) => ShapeRecord;
  /** `site` learns of all that `from` knows. */
  readonly pull: (site: number, from: number) => void;
  readonly records: () => readonly ShapeRecord[];
}

/** `keyOf`: what a column of this name, made by this site at this time, has for a key: twins have the same. */
export function createShapeWorld(
  keyOf: (made: { readonly name: string; readonly site: number; readonly at: number }) => string = ({
    name,
  }) => foldIdentifier(name),
): ShapeWorld {
  const records: ShapeRecord[] = [];
  const knewBySite = new Map<number, Record<string, bigint>>();
  const columnsBySite = new Map<number, ReadonlyMap<string, string>>();
  let clock = 0;
  return { write, decide, pull, records: () => records };

  function write(site: number, sql: string): ShapeRecord {
    return append(site, { sql, unifies: [], isDecision: false });
  }

  function decide(site: number, sql: string, unifies: readonly ShapeRecord[]): ShapeRecord {
    return append(site, { sql, unifies, isDecision: true });
  }

  function append(
    site: number,
    input: { readonly sql: string; readonly unifies: readonly ShapeRecord[]; readonly isDecision: boolean },
  ): ShapeRecord {
    clock += 1;
    const statement = statementOf(input.sql);
    const before = columnsBySite.get(site) ?? new Map<string, string>();
    const { after, subject } = afterStatement(before, statement, (name) => keyOf({ name, site, at: clock }));
    const record: ShapeRecord = {
      id: migrationId(clock),
      type: input.isDecision ? 'redefine_table' : typeOf(statement),
      stamp: { hlc: BigInt(clock), site: siteId(site) },
      knew: { ...knewBySite.get(site) },
      statement,
      columnIds: new Map([...before, ...after]),
      subject,
      unifies: input.unifies.map(({ id }) => id),
      others: UNCHANGED_NAMES,
    };
    columnsBySite.set(site, after);
    knewBySite.set(site, { ...knewBySite.get(site), [siteId(site)]: BigInt(clock) });
    records.push(record);
    return record;
  }

  function pull(site: number, from: number): void {
    const known = { ...knewBySite.get(site) };
    for (const [other, hlc] of Object.entries(knewBySite.get(from) ?? {}))
      known[other] = hlc > (known[other] ?? 0n) ? hlc : (known[other] ?? 0n);
    knewBySite.set(site, known);
    columnsBySite.set(
      site,
      new Map([...(columnsBySite.get(from) ?? []), ...(columnsBySite.get(site) ?? [])]),
    );
  }
}

const typeOf = (statement: DdlStatement): MigrationType => {
  if (statement.kind === 'createTable') return 'create_table';
  if (statement.kind === 'dropTable') return 'drop_table';
  if (statement.kind === 'alterTable') return migrationTypeOf(statement.action);
  throw new Error(`${statement.kind} says nothing of a table's shape.`);
};

interface After {
  readonly after: ReadonlyMap<string, string>;
  readonly subject: string | null;
}

function afterStatement(
  before: ReadonlyMap<string, string>,
  statement: DdlStatement,
  keyOf: (name: string) => string,
): After {
  if (statement.kind === 'createTable') {
    const after = new Map(
      statement.table.columns.map(({ name }) => [
        foldIdentifier(name),
        before.get(foldIdentifier(name)) ?? keyOf(name),
      ]),
    );
    return { after, subject: null };
  }
  if (statement.kind !== 'alterTable') return { after: before, subject: null };
  const { action } = statement;
  if (action.kind === 'addColumn') {
    const key = keyOf(action.column.name);
    return { after: new Map([...before, [foldIdentifier(action.column.name), key]]), subject: key };
  }
  if (!('column' in action)) return { after: before, subject: null };
  const name = foldIdentifier(action.column);
  const subject = before.get(name) ?? null;
  const rest = [...before].filter(([other]) => other !== name);
  if (action.kind === 'dropColumn') return { after: new Map(rest), subject };
  if (action.kind !== 'renameColumn') return { after: before, subject };
  return { after: new Map([...rest, [foldIdentifier(action.newName), subject ?? '']]), subject };
}

/** Does one after another; throws on one that cannot be done. */
export const applyAll = (table: TableDefinition, actions: readonly AlterAction[]): TableDefinition =>
  actions.reduce((current, action) => {
    const altered = applyAlteration(current, action);
    if (!altered.ok) throw new Error(`${JSON.stringify(action)}: ${altered.error.message}`);
    return altered.value;
  }, table);
