// The tables of the example fleet: a small chain of shops that bakes, sells and takes orders.

/** What head office set up before anything else; everybody has it. */
export const BASE_SCHEMA = `
BEGIN;
CREATE TABLE shops (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  street TEXT NOT NULL
);
CREATE TABLE staff (
  id INTEGER PRIMARY KEY,
  shop INTEGER NOT NULL REFERENCES shops(id),
  name TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT 'sales'
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  price REAL NOT NULL,
  label BLOB
);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  mail TEXT COLLATE NOCASE,
  since TEXT NOT NULL
);
CREATE TABLE stock (
  shop INTEGER NOT NULL REFERENCES shops(id),
  product INTEGER NOT NULL REFERENCES products(id),
  quantity INTEGER NOT NULL DEFAULT 0,
  counted_at TEXT,
  PRIMARY KEY (shop, product)
) WITHOUT ROWID;
CREATE TABLE sales (
  id TEXT PRIMARY KEY,
  shop INTEGER NOT NULL REFERENCES shops(id),
  staff INTEGER REFERENCES staff(id),
  customer INTEGER REFERENCES customers(id),
  sold_at TEXT NOT NULL,
  total REAL NOT NULL
);
CREATE TABLE sale_lines (
  sale TEXT NOT NULL REFERENCES sales(id),
  line INTEGER NOT NULL,
  product INTEGER NOT NULL REFERENCES products(id),
  quantity INTEGER NOT NULL DEFAULT 1,
  price REAL NOT NULL,
  PRIMARY KEY (sale, line)
);
COMMIT;
`;

/** Orders as head office thought of them: money as a number, and lines in a table of their own. */
export const ORDERS_AT_HEAD_OFFICE = `
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  customer INTEGER REFERENCES customers(id),
  placed_at TEXT NOT NULL,
  pickup_on TEXT,
  total REAL NOT NULL,
  paid INTEGER NOT NULL DEFAULT 0
);
`;

export const ORDER_LINES = `
CREATE TABLE order_lines (
  "order" TEXT NOT NULL,
  line INTEGER NOT NULL,
  product INTEGER NOT NULL REFERENCES products(id),
  quantity INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY ("order", line)
);
`;

/** Orders as the till in Harbour Street made them up in the meantime: what was written on the slip, as it was written. */
export const ORDERS_AT_THE_TILL = `
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  customer INTEGER REFERENCES customers(id),
  placed_at TEXT NOT NULL,
  total TEXT,
  taken_by INTEGER REFERENCES staff(id),
  note TEXT
);
`;
