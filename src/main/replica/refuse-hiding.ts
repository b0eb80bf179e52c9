import { foldIdentifier } from '../sql/fold-identifier.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import type { ExecError } from './replica.ts';

// Temporary objects belong to Concord's own connection, in which they come before all others of their names.

/** Refuses a temporary object that would hide one of the replica from Concord itself; null when it may be made. */
export function refuseHiding(store: Pick<ReplicaStore, 'catalog'>, text: string): ExecError | null {
  const name = temporaryName(text);
  if (name === null) return null;
  const { tables, views, localOnly } = store.catalog.read();
  const key = foldIdentifier(name);
  if (!tables.has(key) && !views.has(key) && !localOnly.has(key)) return null;
  return {
    code: 'refused-statement',
    message: `A temporary ${name} would hide the replica's own ${name} from Concord. Give it another name.`,
    statement: text,
  };
}

function temporaryName(text: string): string | null {
  const parsed = parseDdl(text);
  if (!parsed.ok) return null;
  const { value } = parsed;
  if (value.kind === 'createTable') return value.table.name;
  if (value.kind === 'createTableAs') return value.name;
  return value.kind === 'createView' ? value.view.name : null;
}

/** Drops what is left of them: they live as long as the call that made them. */
export function dropTemporary({ db }: Pick<ReplicaStore, 'db'>): void {
  const left = db
    .prepareRaw<[], [string, string]>(
      `select type, name from temp.sqlite_schema where type in ('table', 'view') order by type = 'table'`,
    )
    .all();
  for (const [type, name] of left) {
    if (!isBookkeepingName(name) && !name.startsWith('sqlite_'))
      db.exec(`drop ${type} temp.${quoteIdentifier(name)}`);
  }
}
