import { encodeBase64url } from '#shared/model/base64url.ts';
import { ColumnId, ConflictId, Epoch, Era, MigrationId, SiteId, TableId } from '#shared/model/ids.ts';

// IDs by number: the number is in the last byte, so that they sort as their numbers do.

const idText = (number: number): string => {
  const bytes = new Uint8Array(16);
  bytes[14] = number >> 8;
  bytes[15] = number & 0xff;
  return encodeBase64url(bytes);
};

export const siteId = (number: number): SiteId => SiteId.parse(idText(number));
export const tableId = (number: number): TableId => TableId.parse(idText(number));
export const columnId = (number: number): ColumnId => ColumnId.parse(idText(number));
export const migrationId = (number: number): MigrationId => MigrationId.parse(idText(number));
export const conflictId = (number: number): ConflictId => ConflictId.parse(idText(number));
export const epoch = (number: number): Epoch => Epoch.parse(idText(number));
export const era = (number: number): Era => Era.parse(idText(number));
