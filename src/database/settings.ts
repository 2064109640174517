/** Settings of a transaction, which end with it, so that a pooler passes none of them on: their names and values. */
export type Settings = readonly (readonly [name: string, value: string])[]

/**
 * Asks PostgreSQL for so many settings; names and values by turns are its parameters. It gives no row, so that a query that comes with
 * it has none but its own.
 */
export const settingsSql = (count: number): string =>
  `SELECT WHERE ${Array.from({ length: count }, (_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true) IS NULL`).join(' OR ')}`
