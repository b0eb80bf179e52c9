import { activityProcedures } from './activity-procedures.ts';
import { blockedProcedures } from './blocked-procedures.ts';
import { catalogProcedures } from './catalog-procedures.ts';
import { fleetProcedures } from './fleet-procedures.ts';
import { heldProcedures } from './held-procedures.ts';
import { hostProcedures } from './host-procedures.ts';
import { replicaProcedures } from './replica-procedures.ts';
import { upkeepProcedures } from './upkeep-procedures.ts';

/** Raised with every change of the contract that an older page or host could not follow. */
export const CONTRACT_VERSION = 1;

/**
 * Every call the console can make. Electron IPC and the WebSocket host both serve this object; adding a procedure
 * here is the only way to add one anywhere.
 */
export const contract = {
  ...hostProcedures,
  ...fleetProcedures,
  ...replicaProcedures,
  ...heldProcedures,
  ...upkeepProcedures,
  ...catalogProcedures,
  ...blockedProcedures,
  ...activityProcedures,
};

export type Contract = typeof contract;
export type Method = keyof Contract;
