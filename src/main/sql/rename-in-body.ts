import type { TriggerDefinition, ViewDefinition } from './ast.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { replaceNames, type NameChanges, type Replacement } from './rename-in-definition.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

// Word by word, without knowledge of scopes: for texts that SQLite itself cannot rename in, because they refer to
// something that is not there. Where a word may mean columns of several tables, a change in any of them counts.

/** Puts new names of tables and columns into a view, as far as words alone tell what they mean. The view keeps its own. */
export function renameInView(view: ViewDefinition, changes: NameChanges): ViewDefinition {
  return { ...view, select: renameInBody(view.select, { own: null, changes }) };
}

/** The same for a trigger: its table, the columns of UPDATE OF, its condition and its body. */
export function renameInTrigger(trigger: TriggerDefinition, changes: NameChanges): TriggerDefinition {
  const own = foldIdentifier(trigger.table);
  const context = { own, changes };
  const columns = changes.columns.get(own);
  const { when } = trigger;
  return {
    ...trigger,
    table: changes.tables.get(own) ?? trigger.table,
    columns: trigger.columns.map((column) => columns?.get(foldIdentifier(column)) ?? column),
    ...(when === undefined ? {} : { when: renameInBody(when, context) }),
    body: trigger.body.map((statement) => renameInBody(statement, context)),
  };
}

interface BodyContext {
  /** Folded name of the trigger's table: what NEW and OLD mean. */
  readonly own: string | null;
  readonly changes: NameChanges;
}

function renameInBody(text: string, context: BodyContext): string {
  const tokens = scanTokens(text).filter(isSignificant);
  const replacements = tokens.flatMap((token, at): readonly Replacement[] => {
    if (token.kind !== 'word' && token.kind !== 'quotedIdentifier') return [];
    const name = unquoteIdentifier(token.text);
    const newName = newNameAt(tokens, at, context);
    return newName === undefined ? [] : [{ name, start: token.start, end: token.end, newName }];
  });
  return replaceNames(text, replacements);
}

function newNameAt(tokens: readonly Token[], at: number, context: BodyContext): string | undefined {
  const { tables } = context.changes;
  const folded = nameOf(tokens[at]);
  const before = wordOf(tokens[at - 1]);
  const after = tokens[at + 1]?.text;
  if (before === 'collate' || before === 'as') return undefined;
  if (before === '.') return qualifiedColumn(folded, nameOf(tokens[at - 2]), context);
  if (after === '.' || TABLE_PLACES.has(before)) return tables.get(folded);
  const column = after === '(' ? undefined : anyColumn(folded, context);
  return column ?? tables.get(folded);
}

const TABLE_PLACES: ReadonlySet<string> = new Set(['from', 'join', 'into', 'update']);

function qualifiedColumn(
  column: string,
  qualifier: string,
  { own, changes }: BodyContext,
): string | undefined {
  const table = own !== null && (qualifier === 'new' || qualifier === 'old') ? own : qualifier;
  const columns = changes.columns.get(table);
  if (columns !== undefined) return columns.get(column);
  // The schema in front of a table, a table whose columns stay, or an alias.
  if (table === 'main') return changes.tables.get(column);
  return table === own || changes.tables.has(table) ? undefined : anyColumn(column, { own, changes });
}

/** The trigger's own table comes last: in its body it is only meant by NEW and OLD, or where it is named. */
function anyColumn(column: string, { own, changes }: BodyContext): string | undefined {
  const others = [...changes.columns].filter(([table]) => table !== own).map(([, columns]) => columns);
  const found = others.find((columns) => columns.has(column))?.get(column);
  return found ?? (own === null ? undefined : changes.columns.get(own)?.get(column));
}

const nameOf = (token: Token | undefined): string =>
  token === undefined ? '' : foldIdentifier(unquoteIdentifier(token.text));

const wordOf = (token: Token | undefined): string => (token === undefined ? '' : foldIdentifier(token.text));
