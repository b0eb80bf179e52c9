import type {
  Chance,
  Place,
  StoryDdl,
  StoryDialect,
  StoryPools,
  StoryStep,
  StoryWrite,
} from './convergence-steps.ts';

// Random DDL of every form, on few names, so that two replicas alter the same things at the same time. The teller keeps
// in mind what there would be if all had happened on one replica, and mostly speaks of that; what does not fit the
// catalog at hand is refused and changes nothing, which is part of the story.
//
// Columns `a` and `b` are never filled with equal values, so that UNIQUE may stand on them; `c` and `d` have defaults.

const TABLES = ['t', 'u', 'w'] as const;
const COLUMNS = ['a', 'b', 'c', 'd'] as const;
const INDEXES = ['i', 'j'] as const;
const VIEWS = ['v', 'x'] as const;
const TRIGGERS = ['g', 'h'] as const;
const CONSTRAINTS = ['k', 'l'] as const;

const KEYS = 'id INTEGER PRIMARY KEY';

/** What stands in the parentheses of a CREATE TABLE, and after them. The first ones come most often. */
const SHAPES = [
  `(${KEYS}, a TEXT, b)`,
  `(${KEYS}, a TEXT, b)`,
  `(${KEYS}, a TEXT, b)`,
  `(${KEYS}, b TEXT, c TEXT DEFAULT 'cc')`,
  '(id TEXT PRIMARY KEY COLLATE NOCASE, a, b) WITHOUT ROWID',
  `(${KEYS} AUTOINCREMENT, a TEXT COLLATE NOCASE, c INTEGER)`,
  `(${KEYS}, a TEXT, b ANY, c TEXT) STRICT`,
  '(id INTEGER, s INTEGER NOT NULL DEFAULT 0, a TEXT, d, PRIMARY KEY (id, s DESC))',
  `(${KEYS}, a TEXT, b, z TEXT AS (a || '-') STORED, y AS (id + 1))`,
  `(${KEYS}, a TEXT UNIQUE, b, CONSTRAINT k CHECK (a <> 'no'), CHECK (b IS NOT 'no'))`,
  `(${KEYS}, a TEXT, up INTEGER REFERENCES t (id) ON DELETE SET NULL)`,
] as const;

const ADDED = [
  'c TEXT',
  'c TEXT',
  'c INTEGER',
  "d TEXT DEFAULT 'dd'",
  "d TEXT NOT NULL DEFAULT 'dn'",
  'c TEXT NOT NULL',
  'b TEXT COLLATE NOCASE',
  "d TEXT CHECK (d <> 'no')",
  'd INTEGER REFERENCES u (id)',
  'z AS (id * 2)',
  'a TEXT UNIQUE',
] as const;

const COLUMN_ARMS = [
  'SET DATA TYPE TEXT',
  'SET DATA TYPE INTEGER',
  'SET DATA TYPE REAL',
  'SET NOT NULL',
  'DROP NOT NULL',
  'SET COLLATE NOCASE',
  'SET COLLATE BINARY',
  'DROP DEFAULT',
] as const;

/** What there would be if everything had happened on one replica. */
interface Mind {
  /** Columns by table. */
  readonly tables: Map<string, Set<string>>;
  readonly indexes: Set<string>;
  readonly views: Set<string>;
  readonly triggers: Set<string>;
}

interface Teller {
  readonly chance: Chance;
  readonly mind: Mind;
  /** One of these, mostly one that is there. */
  readonly known: (names: readonly string[], there: Iterable<string>) => string;
  readonly table: () => string;
  readonly columnOf: (table: string) => string;
}

type Form = (teller: Teller) => string;
type Forms = readonly (readonly [weight: number, form: Form])[];

function createTeller(chance: Chance): Teller {
  const mind: Mind = { tables: new Map(), indexes: new Set(), views: new Set(), triggers: new Set() };
  const known = (names: readonly string[], there: Iterable<string>): string => {
    const likely = names.filter((name) => new Set(there).has(name));
    return chance.pick(likely.length > 0 && chance.draw() < 0.9 ? likely : names);
  };
  return {
    chance,
    mind,
    known,
    table: () => known(TABLES, mind.tables.keys()),
    columnOf: (table) => known(COLUMNS, mind.tables.get(table) ?? []),
  };
}

/** A name that is mostly not taken. */
const free = ({ chance }: Teller, names: readonly string[], taken: Iterable<string>): string => {
  const left = names.filter((name) => !new Set(taken).has(name));
  return chance.pick(left.length > 0 && chance.draw() < 0.8 ? left : names);
};

/** The other name of its pair: columns that may be unique never change names with those that have defaults. */
const PARTNER: Readonly<Record<string, string>> = { a: 'b', b: 'a', c: 'd', d: 'c' };

/** Forms that any program can write, with how often each is drawn. */
const NATIVE: Forms = [
  [3, (teller) => createTable(teller, free(teller, TABLES, teller.mind.tables.keys()))],
  [1, dropTable],
  [4, renameTable],
  [7, addColumn],
  [5, renameColumn],
  [4, createIndex],
  [2, dropOf('INDEX', INDEXES, ({ indexes }) => indexes)],
  [4, createView],
  [2, dropOf('VIEW', VIEWS, ({ views }) => views)],
  [4, createTrigger],
  [2, dropOf('TRIGGER', TRIGGERS, ({ triggers }) => triggers)],
];

/** Forms that SQLite has no statement for, or refuses while our triggers are there. */
const OURS: Forms = [
  [4, dropColumn],
  [9, (teller) => alterColumn(teller, teller.chance.pick(COLUMN_ARMS))],
  [3, setDefault],
  [4, addConstraint],
  [2, (teller) => `ALTER TABLE ${teller.table()} DROP CONSTRAINT ${teller.chance.pick(CONSTRAINTS)}`],
  [2, renameConstraint],
];

/** Changes of keys: rows that have no value for a new key are held. */
const REKEYING: Forms = [
  [
    9,
    ({ chance, table }) =>
      `ALTER TABLE ${table()} ALTER PRIMARY KEY (${chance.pick(['id', 'id', 'a, id', 'id DESC'])})`,
  ],
];

function createTable({ chance, mind }: Teller, table: string): string {
  const shape = chance.pick(SHAPES);
  mind.tables.set(table, new Set(COLUMNS.filter((column) => new RegExp(`[(,] ?${column}\\b`).test(shape))));
  return `CREATE TABLE ${table} ${shape}`;
}

function dropTable({ table, mind }: Teller): string {
  const name = table();
  mind.tables.delete(name);
  return `DROP TABLE ${name}`;
}

function renameTable(teller: Teller): string {
  const { table, mind } = teller;
  const from = table();
  const to = free(teller, TABLES, mind.tables.keys());
  const columns = mind.tables.get(from);
  if (columns !== undefined && !mind.tables.has(to)) {
    mind.tables.delete(from);
    mind.tables.set(to, columns);
  }
  return `ALTER TABLE ${from} RENAME TO ${to}`;
}

function addColumn({ chance, table, mind }: Teller): string {
  const name = table();
  const columns = mind.tables.get(name);
  const fitting = ADDED.filter((added) => columns?.has(added.charAt(0)) === false);
  const added = chance.pick(fitting.length > 0 && chance.draw() < 0.9 ? fitting : ADDED);
  columns?.add(added.charAt(0));
  return `ALTER TABLE ${name} ADD COLUMN ${added}`;
}

function dropColumn({ table, columnOf, mind }: Teller): string {
  const name = table();
  const column = columnOf(name);
  mind.tables.get(name)?.delete(column);
  return `ALTER TABLE ${name} DROP COLUMN ${column}`;
}

function renameColumn({ table, columnOf, mind }: Teller): string {
  const name = table();
  const from = columnOf(name);
  const to = PARTNER[from] ?? from;
  const columns = mind.tables.get(name);
  if (columns?.has(to) === false && columns.delete(from)) columns.add(to);
  return `ALTER TABLE ${name} RENAME COLUMN ${from} TO ${to}`;
}

function alterColumn({ table, columnOf }: Teller, arm: string): string {
  const name = table();
  return `ALTER TABLE ${name} ALTER COLUMN ${columnOf(name)} ${arm}`;
}

function setDefault({ chance, table }: Teller): string {
  return `ALTER TABLE ${table()} ALTER COLUMN ${chance.pick(['c', 'd'])} SET DEFAULT '${chance.pick(['d1', 'd2'])}'`;
}

function renameConstraint({ chance, table }: Teller): string {
  const [from, to] = chance.draw() < 0.5 ? ['k', 'l'] : ['l', 'k'];
  return `ALTER TABLE ${table()} RENAME CONSTRAINT ${from} TO ${to}`;
}

function createIndex(teller: Teller): string {
  const { chance, table, columnOf, mind } = teller;
  const on = table();
  const column = columnOf(on);
  const name = free(teller, INDEXES, mind.indexes);
  mind.indexes.add(name);
  const where = chance.draw() < 0.3 ? ` WHERE ${columnOf(on)} IS NOT NULL` : '';
  const part = chance.pick([
    column,
    column,
    `${column} DESC`,
    `lower(${column})`,
    `${column} COLLATE NOCASE`,
    `${column}, id`,
  ]);
  const unique = chance.draw() < 0.2 && /^[ab]$/.test(part) ? 'UNIQUE ' : '';
  return `CREATE ${unique}INDEX ${name} ON ${on} (${part})${where}`;
}

function createView(teller: Teller): string {
  const { chance, table, columnOf, mind } = teller;
  const [from, other] = [table(), table()];
  const column = columnOf(from);
  const name = free(teller, VIEWS, mind.views);
  mind.views.add(name);
  const body = chance.pick([
    `SELECT id, ${column} AS one FROM ${from}`,
    `SELECT p.id, p.${column} AS two FROM ${from} AS p JOIN ${other} AS q ON q.id = p.id`,
    `SELECT count(*) AS one FROM ${from} WHERE ${column} IS NOT NULL`,
    `SELECT * FROM ${chance.pick(VIEWS)}`,
  ]);
  return `CREATE VIEW ${name} AS ${body}`;
}

function createTrigger(teller: Teller): string {
  const { chance, table, columnOf, mind } = teller;
  const [on, other] = [table(), table()];
  const column = columnOf(on);
  const name = free(teller, TRIGGERS, mind.triggers);
  mind.triggers.add(name);
  const event = chance.pick(['INSERT', 'DELETE', `UPDATE OF ${column}`]);
  const row = event === 'DELETE' ? 'old' : 'new';
  const body = chance.pick([
    `UPDATE ${other} SET c = 'by ' || ${row}.id WHERE id = ${row}.id`,
    `DELETE FROM ${other} WHERE id = ${row}.id + 2`,
    `SELECT ${row}.${column}`,
  ]);
  return `CREATE TRIGGER ${name} AFTER ${event} ON ${on} BEGIN ${body}; END`;
}

function dropOf(kind: string, names: readonly string[], there: (mind: Mind) => Set<string>): Form {
  return ({ known, mind }) => {
    const name = known(names, there(mind));
    there(mind).delete(name);
    return `DROP ${kind} ${name}`;
  };
}

function addConstraint({ chance, table }: Teller): string {
  const name = chance.draw() < 0.6 ? `CONSTRAINT ${chance.pick(CONSTRAINTS)} ` : '';
  const what = chance.pick([
    'UNIQUE (a)',
    'UNIQUE (b, a)',
    "CHECK (a <> 'zz')",
    "CHECK (c <> 'no' OR d IS NULL)",
    `FOREIGN KEY (c) REFERENCES ${table()} (id)`,
  ]);
  return `ALTER TABLE ${table()} ADD ${name}${what}`;
}

const drawForm = (teller: Teller, forms: Forms): string => {
  let left = teller.chance.draw() * forms.reduce((sum, [weight]) => sum + weight, 0);
  const drawn = forms.find(([weight]) => (left -= weight) < 0) ?? forms[0];
  return drawn?.[1](teller) ?? '';
};

function nextDdl(teller: Teller, ours: Forms): StoryDdl {
  const { chance, table } = teller;
  const by = chance.draw() < 0.25 ? 'another program' : 'concord';
  const forms = by === 'concord' ? [...NATIVE, ...ours] : NATIVE;
  const next = (): string => drawForm(teller, forms);
  const row = (): string =>
    `INSERT OR IGNORE INTO ${table()} (id, a) VALUES (${1 + chance.below(IDS)}, '${chance.token()}')`;
  const sql = chance.draw() < 0.8 ? next() : `BEGIN; ${next()}; ${row()}; ${next()}; COMMIT`;
  return { kind: 'ddl', at: chance.place(), sql, drops: null, by };
}

function nextWrite({ chance, table, columnOf }: Teller): StoryWrite {
  const name = table();
  const cells = (): Readonly<Record<string, string>> =>
    Object.fromEntries([columnOf(name), columnOf(name)].map((column) => [column, chance.token()]));
  const row = { table: name, id: 1 + chance.below(IDS) };
  const at = chance.draw();
  if (at < 0.5) return { op: 'insert', ...row, cells: cells() };
  return at < 0.85 ? { op: 'update', ...row, cells: cells() } : { op: 'delete', ...row };
}

/** Keys are few, so that replicas meet on them. */
const IDS = 5;

/** Mostly all begin with the same tables and rows; else each has made its own. */
function openingOf(teller: Teller): readonly StoryStep[] {
  const { chance } = teller;
  const together = chance.draw() < 0.7;
  const begin = (at: Place, table: string): readonly StoryStep[] => [
    { kind: 'ddl', at, sql: createTable(teller, table), drops: null, by: 'concord' },
    { kind: 'write', at, writes: Array.from({ length: 3 }, () => nextWrite(teller)) },
  ];
  const made = ['t', 'u', 't'].flatMap((table) => begin(together ? 0 : chance.place(), table));
  const pulls = ([1, 2] as const).map((to): StoryStep => ({
    kind: 'pull',
    to,
    from: 0,
    facts: 50,
    times: 1,
    pages: 1_000,
  }));
  return together ? [...made, ...pulls] : made;
}

/** The same column of the same table, sooner or later on each replica. */
function addTwin({ chance, mind }: Teller): string {
  mind.tables.get('t')?.add('c');
  return `ALTER TABLE t ADD COLUMN c TEXT${chance.pick(['', " DEFAULT 'c1'", " NOT NULL DEFAULT 'c2'"])}`;
}

/** What two replicas do to the same columns at the same time: twins, their defaults, drops and returns. */
const TWINS: Forms = [
  [20, addTwin],
  [6, setDefault],
  [5, dropColumn],
  [2, dropTable],
];

/** DDL of one program or of Concord; a fifth of it in transactions with a row between. */
const dialectOf =
  (ours: Forms) =>
  (chance: Chance): StoryDialect => {
    const teller = createTeller(chance);
    return {
      opening: openingOf(teller),
      ddl: () => nextDdl(teller, ours),
      write: () => nextWrite(teller),
    };
  };

const base = {
  ...{ tables: [], shapes: [], added: [], indexes: [], columns: [], moves: false, drops: true },
  ddlShare: 0.4,
  steps: 24,
};

/** Worlds of stories about the schema. */
export const SCHEMA_POOLS = {
  native: { ...base, dialect: dialectOf([]) },
  dialect: { ...base, dialect: dialectOf(OURS) },
  rekeying: { ...base, dialect: dialectOf([...OURS, ...REKEYING]) },
  twins: { ...base, ddlShare: 0.5, dialect: dialectOf([...OURS, ...TWINS]) },
  long: { ...base, steps: 60, dialect: dialectOf(OURS) },
} satisfies Readonly<Record<string, StoryPools>>;
