import type { Output } from '#shared/api/types.ts';

/** What this host says of itself. */
export type HostInfo = Output<'host.info'>;
