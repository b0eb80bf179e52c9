/** SQL of the wall time as an HLC without a counter, of a row of `_concord_state`. A simulated clock leaves its time there. */
export const TRIGGER_TIME = `coalesce(now_ms, cast((julianday('now') - 2440587.5) * 86400000.0 + 0.5 as integer)) << 16`;
