/**
 * What a DDL statement says, as plain data: JSON-safe, without positions, without classes.
 *
 * - Names are unquoted and keep their spelling; `foldIdentifier` makes them comparable.
 * - Expressions, selects and bodies are source text, trimmed and without one pair of outer parentheses
 *   where the grammar demands one; `canonicalExpression` makes them comparable.
 * - An optional property that is absent says that the text did not have the clause.
 */

/** SQL text of an expression, select or statement, as it was written. */
export type SqlText = string;

export type ConflictAction = 'rollback' | 'abort' | 'fail' | 'ignore' | 'replace';

export type ReferentialAction = 'noAction' | 'restrict' | 'setNull' | 'setDefault' | 'cascade';

export interface TableDefinition {
  readonly name: string;
  /** In the order of the text, which is the order of `select *`. */
  readonly columns: readonly ColumnDefinition[];
  readonly constraints: readonly TableConstraint[];
  readonly strict: boolean;
  readonly withoutRowid: boolean;
}

export interface ColumnDefinition {
  readonly name: string;
  /** As written, without a trailing GENERATED ALWAYS; '' when there is none. */
  readonly type: string;
  readonly notNull?: NotNullClause | undefined;
  readonly primaryKey?: ColumnPrimaryKey | undefined;
  readonly uniques: readonly ColumnUnique[];
  readonly checks: readonly CheckClause[];
  readonly references: readonly ColumnReference[];
  /** As written after DEFAULT, with its parentheses if it has them. `DEFAULT NULL` is 'NULL', not absent. */
  readonly defaultText?: SqlText | undefined;
  readonly collation?: string | undefined;
  readonly generated?: GeneratedClause | undefined;
}

export interface NotNullClause {
  readonly name?: string | undefined;
  readonly conflict?: ConflictAction | undefined;
}

export interface ColumnPrimaryKey {
  readonly name?: string | undefined;
  /** `INTEGER PRIMARY KEY DESC` on the column is no rowid alias, unlike the same in a table constraint. */
  readonly descending: boolean;
  readonly autoincrement: boolean;
  readonly conflict?: ConflictAction | undefined;
}

export interface ColumnUnique {
  readonly name?: string | undefined;
  readonly conflict?: ConflictAction | undefined;
}

export interface CheckClause {
  readonly name?: string | undefined;
  /** Without the parentheses that CHECK demands. */
  readonly expression: SqlText;
}

export interface ColumnReference extends ForeignKeyTarget {
  readonly name?: string | undefined;
}

export interface GeneratedClause {
  /** Without the parentheses that AS demands. */
  readonly expression: SqlText;
  readonly stored: boolean;
}

export interface ForeignKeyTarget {
  readonly table: string;
  /** Empty when the parent's primary key is meant. */
  readonly columns: readonly string[];
  readonly onDelete?: ReferentialAction | undefined;
  readonly onUpdate?: ReferentialAction | undefined;
  /** Recorded, without effect in SQLite. */
  readonly match?: string | undefined;
  readonly deferral?: Deferral | undefined;
}

/** Only DEFERRABLE INITIALLY DEFERRED defers; every other combination checks at once. */
export interface Deferral {
  readonly deferrable: boolean;
  readonly initially?: 'deferred' | 'immediate' | undefined;
}

/** One column of a key: never an expression. */
export interface KeyColumn {
  readonly column: string;
  readonly collation?: string | undefined;
  readonly descending: boolean;
}

export type TableConstraint =
  PrimaryKeyConstraint | UniqueConstraint | CheckConstraint | ForeignKeyConstraint;

export interface PrimaryKeyConstraint {
  readonly kind: 'primaryKey';
  readonly name?: string | undefined;
  readonly columns: readonly KeyColumn[];
  readonly autoincrement: boolean;
  readonly conflict?: ConflictAction | undefined;
}

export interface UniqueConstraint {
  readonly kind: 'unique';
  readonly name?: string | undefined;
  readonly columns: readonly KeyColumn[];
  readonly conflict?: ConflictAction | undefined;
}

export interface CheckConstraint {
  readonly kind: 'check';
  readonly name?: string | undefined;
  readonly expression: SqlText;
}

export interface ForeignKeyConstraint {
  readonly kind: 'foreignKey';
  readonly name?: string | undefined;
  readonly columns: readonly string[];
  readonly target: ForeignKeyTarget;
}

export interface IndexDefinition {
  readonly name: string;
  readonly table: string;
  readonly unique: boolean;
  readonly parts: readonly IndexPart[];
  /** The condition of a partial index. */
  readonly where?: SqlText | undefined;
}

export type IndexPart = IndexColumn | IndexExpression;

export interface IndexColumn extends KeyColumn {
  readonly kind: 'column';
}

export interface IndexExpression {
  readonly kind: 'expression';
  /** With its COLLATE, if it has one. */
  readonly expression: SqlText;
  readonly descending: boolean;
}

export interface ViewDefinition {
  readonly name: string;
  /** The names given before AS; absent when the select names the columns. */
  readonly columns?: readonly string[] | undefined;
  readonly select: SqlText;
}

export interface TriggerDefinition {
  readonly name: string;
  /** The table, or the view of an INSTEAD OF trigger. */
  readonly table: string;
  readonly time: 'before' | 'after' | 'insteadOf';
  readonly event: 'insert' | 'update' | 'delete';
  /** Those of UPDATE OF; empty when every column counts. */
  readonly columns: readonly string[];
  readonly when?: SqlText | undefined;
  /** The statements between BEGIN and END, each without its semicolon. */
  readonly body: readonly SqlText[];
}

export interface VirtualTableDefinition {
  readonly name: string;
  readonly module: string;
  readonly arguments: readonly SqlText[];
}

export type DdlStatement =
  | CreateTableStatement
  | CreateTableAsStatement
  | CreateIndexStatement
  | CreateViewStatement
  | CreateTriggerStatement
  | CreateVirtualTableStatement
  | DropStatement
  | AlterTableStatement;

export interface CreateTableStatement {
  readonly kind: 'createTable';
  readonly schema?: string | undefined;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly table: TableDefinition;
}

/** CREATE TABLE ... AS SELECT: the columns are known only once SQLite has run it. */
export interface CreateTableAsStatement {
  readonly kind: 'createTableAs';
  readonly schema?: string | undefined;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly select: SqlText;
}

export interface CreateIndexStatement {
  readonly kind: 'createIndex';
  readonly schema?: string | undefined;
  readonly ifNotExists: boolean;
  readonly index: IndexDefinition;
}

export interface CreateViewStatement {
  readonly kind: 'createView';
  readonly schema?: string | undefined;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly view: ViewDefinition;
}

export interface CreateTriggerStatement {
  readonly kind: 'createTrigger';
  readonly schema?: string | undefined;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly trigger: TriggerDefinition;
  /** Of the table that it is on, where the text says it; a trigger on a temporary table is temporary itself. */
  readonly tableSchema?: string | undefined;
}

export interface CreateVirtualTableStatement {
  readonly kind: 'createVirtualTable';
  readonly schema?: string | undefined;
  readonly ifNotExists: boolean;
  readonly table: VirtualTableDefinition;
}

export interface DropStatement {
  readonly kind: 'dropTable' | 'dropIndex' | 'dropView' | 'dropTrigger';
  readonly schema?: string | undefined;
  readonly ifExists: boolean;
  readonly name: string;
}

export interface AlterTableStatement {
  readonly kind: 'alterTable';
  readonly schema?: string | undefined;
  readonly table: string;
  readonly action: AlterAction;
}

export type AlterAction =
  | { readonly kind: 'addColumn'; readonly column: ColumnDefinition }
  | { readonly kind: 'dropColumn'; readonly column: string }
  | { readonly kind: 'renameColumn'; readonly column: string; readonly newName: string }
  | { readonly kind: 'renameTable'; readonly newName: string }
  | { readonly kind: 'setDataType'; readonly column: string; readonly type: string }
  | {
      readonly kind: 'setNotNull';
      readonly column: string;
      readonly conflict?: ConflictAction | undefined;
    }
  | { readonly kind: 'dropNotNull'; readonly column: string }
  | { readonly kind: 'setDefault'; readonly column: string; readonly defaultText: SqlText }
  | { readonly kind: 'dropDefault'; readonly column: string }
  | { readonly kind: 'setCollation'; readonly column: string; readonly collation: string }
  | {
      readonly kind: 'addConstraint';
      readonly constraint: UniqueConstraint | CheckConstraint | ForeignKeyConstraint;
    }
  | { readonly kind: 'dropConstraint'; readonly name: string }
  /** Takes away one constraint without a name, by what it says. */
  | {
      readonly kind: 'dropUnnamedConstraint';
      readonly constraint: UniqueConstraint | CheckConstraint | ForeignKeyConstraint;
    }
  | { readonly kind: 'renameConstraint'; readonly name: string; readonly newName: string }
  | {
      readonly kind: 'alterPrimaryKey';
      readonly columns: readonly KeyColumn[];
      /** No statement says it: a table comes back to the key that it was made with. */
      readonly autoincrement?: boolean;
    };
