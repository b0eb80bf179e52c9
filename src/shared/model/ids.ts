import { z } from 'zod';

/** 16 random bytes as 22 characters of base64url without padding: the text form of every ID. */
const ID_PATTERN = /^[A-Za-z0-9_-]{21}[AQgw]$/;

const id = <Brand extends string>(what: Brand) =>
  z.string().regex(ID_PATTERN, `a ${what} is 22 characters of base64url`).brand<Brand>();

export const SiteId = id('site ID');
export type SiteId = z.infer<typeof SiteId>;

export const TableId = id('table ID');
export type TableId = z.infer<typeof TableId>;

export const ColumnId = id('column ID');
export type ColumnId = z.infer<typeof ColumnId>;

export const MigrationId = id('migration ID');
export type MigrationId = z.infer<typeof MigrationId>;

/** Names a conflict, the same on every replica that has it. */
export const ConflictId = id('conflict ID');
export type ConflictId = z.infer<typeof ConflictId>;

/** Drawn when a replica's file is created or re-bootstrapped. */
export const Epoch = id('epoch');
export type Epoch = z.infer<typeof Epoch>;

/** Drawn at each opening of the file by a host. */
export const Era = id('era');
export type Era = z.infer<typeof Era>;
