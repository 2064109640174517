/** The row was written by the transaction that asks. */
export const madeNow = (side: string): string => `${side}.xmin = pg_current_xact_id_if_assigned()::xid`
