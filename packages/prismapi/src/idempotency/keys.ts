import { inSession } from '@prismapi/core/database/prisma/sessions'
import { frameworkSession } from '@prismapi/core/database/session'
import type { RowWriter, Store, Transaction } from '@prismapi/core/database/store'
import { all, columnOf, compare, equalsEach } from '@prismapi/jsonapi/condition/build'
import { conflict, keyInUse } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'
import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { IdempotencyOptions } from '@prismapi/jsonapi/request/features'
import { findKey, type Keyed, knownOf, type TakenKey, type TextAnswer, takenKey } from './row.ts'

/** The right to carry out the request of a key, until its lease is over and another attempt takes it. */
export interface Claim {
  readonly id: string
  readonly owner: string
}

/** What became of a key: it is ours now, or what is known of it. */
export type Claimed = { readonly kind: 'claimed'; readonly claim: Claim } | TakenKey

/** The keys of a server, in the database. */
export interface IdempotencyKeys {
  /** Takes a key for a request, unless it was taken before. */
  claim(keyed: Keyed): Promise<Claimed>
  /** Keeps the answer, if the claim still holds: a part of the write that is answered. */
  complete(transaction: Transaction, claim: Claim, answer: TextAnswer): Promise<void>
  /** Keeps the answer to a write that was undone. */
  keep(claim: Claim, answer: TextAnswer): Promise<void>
  /** Gives the key back, as if the request had never come; not where its write was committed all the same. */
  release(claim: Claim): Promise<void>
}

/** The database, and whether it guards its rows: the keys belong to the framework's own role then. */
export interface KeyStore {
  readonly store: Store
  readonly isGuarded: boolean
}

export function idempotencyKeys(
  { store: given, isGuarded }: KeyStore,
  options: IdempotencyOptions,
  model: ModelMeta,
): IdempotencyKeys {
  const store = isGuarded ? inSession(given, frameworkSession) : given
  const where = (values: Row) => all(...equalsEach(model, values))
  const sweep = sweeper(store, options, model)

  const complete = async (writer: RowWriter, { id, owner }: Claim, answer: TextAnswer) => {
    const { status, headers, body } = answer
    const data = { status, headers: JSON.stringify(headers), body }
    const count = await writer.update({ model, where: where({ id, owner, status: null }), data })
    // Its lease was over: who has the key now does the work.
    if (count === 0) throw keyInUse()
  }

  /** A key that is there; null where it has just gone. */
  const takeOver = (keyed: Keyed) =>
    store.write(async (transaction): Promise<Claimed | null> => {
      const { id } = keyed
      const row = await findKey(transaction.reader, model, id)
      const known = row && knownOf(row, keyed.fingerprint)
      if (!row || known) return known
      const data = { ...takenKey(keyed, options) }
      const taken = where({ id, owner: row.owner, status: row.status })
      const count = await transaction.writer.update({ model, where: taken, data })
      return count === 1 ? { kind: 'claimed', claim: { id, owner: data.owner } } : null
    })

  return {
    complete: (transaction, claim, answer) => transaction.asFramework((writer) => complete(writer, claim, answer)),
    async claim(keyed) {
      const { id, fingerprint } = keyed
      // On SQLite a write would wait for the very request that is running.
      const row = await findKey(store.reader, model, id)
      const known = row && knownOf(row, fingerprint)
      if (known) return known
      await sweep()
      for (let tried = 1; tried <= attempts; tried++) {
        const data = { id, ...takenKey(keyed, options) }
        const isNew = await inserted(store, ({ writer }) => writer.insert({ model, data, returning: model.key }))
        const claimed = isNew ? { kind: 'claimed' as const, claim: data } : await takeOver(keyed)
        if (claimed) return claimed
      }
      return { kind: 'running' }
    },
    keep: (claim, answer) => store.write(({ writer }) => complete(writer, claim, answer)),
    async release({ id, owner }) {
      await store.write(({ writer }) => writer.remove({ model, where: where({ id, owner, status: null }) }))
    },
  }
}

const attempts = 5

/** Did the row go in; not where its key is taken. It reads nothing, so that on PostgreSQL two keys never meet. */
async function inserted(store: Store, insert: (transaction: Transaction) => Promise<unknown>): Promise<boolean> {
  const taken = conflict(say`The key is taken.`)
  try {
    await store.write(insert, () => taken)
    return true
  } catch (error) {
    if (error === taken) return false
    throw error
  }
}

const sweptAtOnce = 1000

/** Removes keys whose time is over: some at once, and with every request only as long as there are more. */
function sweeper(store: Store, { keptSeconds }: IdempotencyOptions, model: ModelMeta): () => Promise<void> {
  const pause = Math.min(keptSeconds * 1000, 60_000)
  let sweptAt = 0
  return async () => {
    const now = Date.now()
    if (now - sweptAt < pause) return
    sweptAt = now
    const expired = compare(columnOf(model, 'expiresAt'), 'lt', new Date(now))
    const count = await store.write(({ writer }) => writer.remove({ model, where: expired, most: sweptAtOnce }))
    // There may be more of them: the next request goes on.
    if (count === sweptAtOnce) sweptAt = 0
  }
}
