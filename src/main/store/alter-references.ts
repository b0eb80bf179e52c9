import type { AlterAction } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import { toNumber, type StoreDatabase } from './store-database.ts';

/**
 * Looks at the foreign keys from and to a table before it is altered here, and answers with what to call afterwards: it
 * refuses an alteration that left one without its parent key, or rows without their parent.
 *
 * An alteration runs with foreign keys off, so SQLite does not look. Costs something only where the alteration may break one.
 */
export function watchReferences(db: StoreDatabase, table: string, action: AlterAction): () => void {
  if (!MAY_BREAK.has(action.kind)) return () => undefined;
  const children = [table, ...referringTables(db, table).filter((name) => !isSameName(name, table))];
  const broken = new Set(children.filter((child) => mismatchOf(db, child) !== null));
  const converts = CONVERTS.has(action.kind);
  const orphans = new Map(
    converts ? children.map((child) => [child, broken.has(child) ? 0 : orphansOf(db, child)]) : [],
  );
  return () => {
    for (const child of children) {
      const mismatch = broken.has(child) ? null : mismatchOf(db, child);
      if (mismatch !== null) refuse(table, mismatch);
    }
    for (const [child, before] of orphans) {
      if (broken.has(child) || orphansOf(db, child) <= before) continue;
      refuse(table, `Rows of ${child} would refer to rows of ${table} that are not there.`);
    }
  };
}

const MAY_BREAK: ReadonlySet<AlterAction['kind']> = new Set([
  'addConstraint',
  'dropColumn',
  'dropConstraint',
  'dropUnnamedConstraint',
  'alterPrimaryKey',
  'setDataType',
  'setCollation',
]);

const CONVERTS: ReadonlySet<AlterAction['kind']> = new Set(['setDataType', 'setCollation']);

function refuse(object: string, message: string): never {
  throw new AdmissionRefused({ cause: 'refusedStatement', object, message });
}

/** Tables with a foreign key to a table, itself too, by name. */
export function referringTables(db: StoreDatabase, table: string): readonly string[] {
  return db
    .preparePluck<[string], string>(
      `select distinct l.name from pragma_table_list as l join pragma_foreign_key_list(l.name) as f
       where l.schema = 'main' and l.type = 'table' and f."table" = ? collate nocase order by l.name`,
    )
    .all(table);
}

/** SQLite's word on a foreign key of a table that has no parent key; it says so when the check is compiled. */
function mismatchOf(db: StoreDatabase, table: string): string | null {
  try {
    db.raw.prepare(`pragma foreign_key_check(${quoteIdentifier(table)})`);
    return null;
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined || !(cause instanceof Error)) throw cause;
    return cause.message;
  }
}

const orphansOf = (db: StoreDatabase, table: string): number =>
  mismatchOf(db, table) === null
    ? toNumber(db.preparePluck<[string]>('select count(*) from pragma_foreign_key_check(?)').get(table))
    : 0;
