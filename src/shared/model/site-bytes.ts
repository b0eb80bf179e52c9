import { present } from '../assert.ts';
import { decodeBase64url, encodeBase64url } from './base64url.ts';
import { SiteId } from './ids.ts';

const SITE_ID_BYTES = 16;

/** The 16 bytes of a site ID, as the bookkeeping stores them. */
export const siteIdToBytes = (site: SiteId): Uint8Array =>
  present(decodeBase64url(site), `no site ID: ${site}`);

/** The site ID of 16 bytes; null for any other number of bytes. */
export const siteIdFromBytes = (bytes: Uint8Array): SiteId | null =>
  bytes.length === SITE_ID_BYTES ? SiteId.parse(encodeBase64url(bytes)) : null;
