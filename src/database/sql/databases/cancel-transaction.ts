import type pg from 'pg'

/**
 * Ends the connection of a transaction at the database as well, which would notice only when its statement has come to its end, and keep the
 * locks until then. Behind a pooler that is the pooler's work, which has process numbers of its own.
 */
export const cancelIn =
  (pool: pg.Pool, pooler: boolean) =>
  (transaction: object): boolean => {
    const { client } = transaction as { readonly client?: pg.PoolClient & { readonly processID?: number } }
    if (!client) return false
    const { processID } = client
    // The pool throws a connection away that is ending, once it is given back.
    ;(client as unknown as pg.Client).end().catch(() => {})
    if (!pooler && processID) pool.query('SELECT pg_terminate_backend($1)', [processID]).catch(() => {})
    return true
  }
