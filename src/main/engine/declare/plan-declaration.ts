import { unreachable } from '#shared/assert.ts';

import type { DdlStatement } from '../../sql/ast.ts';
import { compareDefinitions } from '../../sql/compare-statements.ts';
import { foldIdentifier } from '../../sql/fold-identifier.ts';
import { renderStatement } from '../../sql/render-statement.ts';
import { alterationLine } from './alteration-line.ts';
import { planDeclaredTable, type TypeChange } from './plan-declared-table.ts';

/** A statement that makes an object a schema may declare. */
export type Declared = Extract<
  DdlStatement,
  { readonly kind: 'createTable' | 'createIndex' | 'createView' | 'createTrigger' }
>;

export interface DeclaredStep {
  /** One statement, in Concord's dialect. */
  readonly sql: string;
  /** What it does, for the log. */
  readonly line: string;
}

export interface DeclarationPlan {
  /** In the order in which they can be run. Empty where the catalog is as declared. */
  readonly steps: readonly DeclaredStep[];
  /** What is not as declared and stays so, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Plans how a catalog becomes what a schema declares: a function of the two, so that the second start plans nothing.
 *
 * Tables, columns, indexes, views and triggers that are declared are made or brought to their definition; columns that a
 * declared table no longer has are dropped. Objects that the schema does not name are left alone, each with a warning, and
 * so is a table of which the schema makes something else: nothing declared drops a table.
 * A column of another type is dropped and added anew (`recreate`), or its values are kept and converted (`convert`).
 */
export function planDeclaration({
  current,
  declared,
  typeChange,
}: {
  readonly current: readonly Declared[];
  readonly declared: readonly Declared[];
  readonly typeChange: TypeChange;
}): DeclarationPlan {
  const here = new Map(current.map((statement) => [placeOf(statement), statement]));
  const parts = declared.map((wanted) => planOne(here.get(placeOf(wanted)), wanted, typeChange));
  const named = new Set(declared.map(placeOf));
  return {
    // What stands on tables is taken away before they change, and made once all of them are there.
    steps: (['away', 'tables', 'made'] as const).flatMap((stage) => parts.flatMap((part) => part[stage])),
    warnings: [
      ...parts.flatMap(({ warnings }) => warnings),
      ...current.filter((statement) => !named.has(placeOf(statement))).map(leftAlone),
    ],
  };
}

interface Part {
  readonly away: readonly DeclaredStep[];
  readonly tables: readonly DeclaredStep[];
  readonly made: readonly DeclaredStep[];
  readonly warnings: readonly string[];
}

const NOTHING: Part = { away: [], tables: [], made: [], warnings: [] };

function planOne(here: Declared | undefined, wanted: Declared, typeChange: TypeChange): Part {
  if (here === undefined) return madeNew(wanted);
  if (wanted.kind === 'createTable' && here.kind === 'createTable') {
    const { actions, isComplete } = planDeclaredTable(here, wanted, typeChange);
    return {
      ...NOTHING,
      tables: actions.map((action) => ({
        sql: renderStatement({ kind: 'alterTable', table: here.table.name, action }),
        line: alterationLine(here.table.name, action),
      })),
      warnings: isComplete ? [] : [unreachedOf(here.table.name)],
    };
  }
  if (compareDefinitions(here, wanted)?.equal === true) return NOTHING;
  if (here.kind === 'createTable') return { ...NOTHING, warnings: [staysTable(here.table.name, wanted)] };
  const line = `dropped ${titleOf(here)}, which is declared anew`;
  return { ...madeNew(wanted), away: [{ sql: renderStatement(dropOf(here)), line }] };
}

function madeNew(wanted: Declared): Part {
  const step = { sql: renderStatement(wanted), line: `created ${titleOf(wanted)}` };
  return wanted.kind === 'createTable' ? { ...NOTHING, tables: [step] } : { ...NOTHING, made: [step] };
}

const staysTable = (table: string, wanted: Declared): string =>
  `"${table}" is a table here and stays one: ${titleOf(wanted)} is not made. Rename or drop the table first.`;

const unreachedOf = (table: string): string =>
  `"${table}" is not all that the schema declares: no alteration changes the rest of it (STRICT, WITHOUT ROWID, AUTOINCREMENT, or how a column is generated).`;

const leftAlone = (statement: Declared): string =>
  `${titleOf(statement)} is not in the schema and is left alone.`;

/** Tables, views and indexes share their names; triggers have their own. */
const placeOf = (statement: Declared): string =>
  `${statement.kind === 'createTrigger' ? 'trigger' : 'object'} ${foldIdentifier(identityOf(statement).name)}`;

function titleOf(statement: Declared): string {
  const { kind, name, table } = identityOf(statement);
  return `${kind} "${name}"${table === null ? '' : ` on "${table}"`}`;
}

function identityOf(statement: Declared): {
  readonly kind: string;
  readonly name: string;
  readonly table: string | null;
} {
  switch (statement.kind) {
    case 'createTable':
      return { kind: 'table', name: statement.table.name, table: null };
    case 'createIndex':
      return { kind: 'index', name: statement.index.name, table: statement.index.table };
    case 'createView':
      return { kind: 'view', name: statement.view.name, table: null };
    case 'createTrigger':
      return { kind: 'trigger', name: statement.trigger.name, table: statement.trigger.table };
    default:
      return unreachable(statement);
  }
}

function dropOf(statement: Declared): DdlStatement {
  const { name } = identityOf(statement);
  const kinds = {
    createTable: 'dropTable',
    createIndex: 'dropIndex',
    createView: 'dropView',
    createTrigger: 'dropTrigger',
  } as const;
  return { kind: kinds[statement.kind], ifExists: false, name };
}

/** The first object that a schema declares a second time, for people; null when there is none. */
export function namedTwice(declared: readonly Declared[]): string | null {
  const twice = declared.find((one, at) =>
    declared.slice(0, at).some((other) => placeOf(other) === placeOf(one)),
  );
  return twice === undefined ? null : titleOf(twice);
}
