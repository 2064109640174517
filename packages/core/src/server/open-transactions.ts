import { AsyncLocalStorage } from 'node:async_hooks'
import type { Preparation } from '@prismapi/jsonapi/request/write-state'
import type { ReadingTransaction, Store } from '../database/store.ts'

/** A transaction that has begun, for what joins it. */
export interface OpenTransaction {
  readonly transaction: ReadingTransaction
  /** What is known of the write that it belongs to, whatever attempt this is. */
  readonly preparation: Preparation
  /** Who has begun it. */
  readonly by: object
  /** By which the trail names all that it writes. */
  readonly requestId: string | null
  /** False once it is committed, or undone. */
  isOpen: boolean
  /** How many calls have joined it. */
  calls: number
  /** The error of a call that failed after it began to write. It undoes the transaction, even if it is caught. */
  failure: { readonly error: unknown } | null
}

type Opened = Pick<OpenTransaction, 'preparation' | 'by' | 'requestId'>

/** A hook that is given no event has none: its write may be a single statement. */
const noTransaction = Symbol('noTransaction')

/**
 * The open transactions of an API. `api.as` finds the transaction that it is called in: hooks and actions call the
 * application's own functions, which have no other way to pass it. Only this class knows where code runs.
 */
export class OpenTransactions {
  readonly #current = new AsyncLocalStorage<OpenTransaction | typeof noTransaction>()

  /** The store, whose transactions can be joined by what runs inside of them. */
  joinable(store: Store, opened: Opened): Store {
    // The literal begins with a property of its own: CONTRIBUTING.md says why.
    const { outside: _, ...rest } = store
    return {
      outside: (work) => this.#current.run(noTransaction, work),
      ...rest,
      write: (work, onBroken) => store.write((transaction) => this.#during({ ...opened, transaction }, work), onBroken),
    }
  }

  async #during<T>(
    opened: Opened & Pick<OpenTransaction, 'transaction'>,
    work: (transaction: ReadingTransaction) => Promise<T>,
  ): Promise<T> {
    const open: OpenTransaction = { ...opened, isOpen: true, calls: 0, failure: null }
    try {
      const result = await this.#current.run(open, () => work(open.transaction))
      if (open.failure) throw open.failure.error
      return result
    } finally {
      open.isOpen = false
    }
  }

  /**
   * The transaction that this code runs in; null where it runs in none.
   *
   * @throws {Error} where that one has ended, or the hook has none.
   */
  current(): OpenTransaction | null {
    const open = this.#current.getStore()
    if (open === noTransaction)
      throw new Error(
        "api.as(): this hook has no transaction to join, because it does not take the event. Give it a second parameter without a default: phase.creating('…', async (data, event) => …).",
      )
    if (!open) return null
    return this.checkOpen(open)
  }

  /** That which has just begun here. */
  begun(): OpenTransaction {
    return this.#current.getStore() as OpenTransaction
  }

  /** @throws {Error} where it has ended. */
  checkOpen(open: OpenTransaction): OpenTransaction {
    if (open.isOpen) return open
    throw new Error(
      'api.as(): the transaction that this call belongs to has ended. Await the call inside of it, or make it in event.afterCommit().',
    )
  }
}
