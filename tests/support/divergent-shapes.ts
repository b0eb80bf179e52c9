/** Two definitions of one table `t`, with rows under each. */
interface DivergentShapes {
  readonly title: string;
  readonly local: string;
  readonly remote: string;
  /** Rows of both sides once everybody has the local, or the remote, shape. */
  readonly keepLocal: readonly (readonly unknown[])[];
  readonly takeRemote: readonly (readonly unknown[])[];
}

/** What two replicas may have made of the same table, for tests of decisions. */
export const DIVERGENT_SHAPES: readonly DivergentShapes[] = [
  {
    title: 'other types',
    local: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, '01'), (2, 'x')`,
    remote: `CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (3, 7), (4, 'y')`,
    keepLocal: [
      [1n, '01'],
      [2n, 'x'],
      [3n, '7'],
      [4n, 'y'],
    ],
    takeRemote: [
      [1n, 1n],
      [2n, 'x'],
      [3n, 7n],
      [4n, 'y'],
    ],
  },
  {
    title: 'other columns',
    local: `CREATE TABLE t (id INTEGER PRIMARY KEY, v, l); INSERT INTO t VALUES (1, 'a', 'la'), (2, 'b', NULL)`,
    remote: `CREATE TABLE t (id INTEGER PRIMARY KEY, v, r DEFAULT 'rr'); INSERT INTO t VALUES (3, 'c', 'rc')`,
    keepLocal: [
      [1n, 'a', 'la'],
      [2n, 'b', null],
      [3n, 'c', null],
    ],
    takeRemote: [
      [1n, 'a', 'rr'],
      [2n, 'b', 'rr'],
      [3n, 'c', 'rc'],
    ],
  },
  {
    title: 'key of integers or of texts',
    local: `CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b')`,
    remote: `CREATE TABLE t (id TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('3', 'c')`,
    keepLocal: [
      [1n, 'a'],
      [2n, 'b'],
      [3n, 'c'],
    ],
    takeRemote: [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
    ],
  },
  {
    title: 'rowid or WITHOUT ROWID',
    local: `CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, v); INSERT INTO t VALUES ('a', 1), ('b', 2)`,
    remote: `CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, v) WITHOUT ROWID; INSERT INTO t VALUES ('c', 3)`,
    keepLocal: [
      ['a', 1n],
      ['b', 2n],
      ['c', 3n],
    ],
    takeRemote: [
      ['a', 1n],
      ['b', 2n],
      ['c', 3n],
    ],
  },
  {
    title: 'one key column or two',
    local: `CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, v); INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b')`,
    remote: `CREATE TABLE t (id INTEGER, n INTEGER, v, PRIMARY KEY (id, n)); INSERT INTO t VALUES (3, 30, 'c'), (4, 40, 'd')`,
    keepLocal: [
      [1n, 10n, 'a'],
      [2n, 20n, 'b'],
      [3n, 30n, 'c'],
      [4n, 40n, 'd'],
    ],
    takeRemote: [
      [1n, 10n, 'a'],
      [2n, 20n, 'b'],
      [3n, 30n, 'c'],
      [4n, 40n, 'd'],
    ],
  },
  {
    title: 'another key column',
    local: `CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, v); INSERT INTO t VALUES (1, 'a', 'x'), (2, 'b', 'y')`,
    remote: `CREATE TABLE t (id INTEGER, code TEXT PRIMARY KEY, v); INSERT INTO t VALUES (3, 'c', 'z')`,
    keepLocal: [
      [1n, 'a', 'x'],
      [2n, 'b', 'y'],
      [3n, 'c', 'z'],
    ],
    takeRemote: [
      [1n, 'a', 'x'],
      [2n, 'b', 'y'],
      [3n, 'c', 'z'],
    ],
  },
];
