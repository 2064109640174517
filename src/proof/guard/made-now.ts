import type { ColumnSource } from './row-condition.ts'
import { rowKey } from './row-key.ts'

/** The row was made by the transaction that asks, or changed by who may: whose row was only linked has not made it. */
export const madeNow = (place: ColumnSource): string =>
  `(${place.side}.xmin = pg_current_xact_id_if_assigned()::xid AND NOT prismapi_listed('linked', ${rowKey(place)}))`
