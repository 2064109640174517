import type { Delegates } from '../store.ts'

/** Does the work with a transaction's client, which refuses all that comes when the work has ended. */
export async function whileOpen<T>(client: Delegates, work: (client: Delegates) => Promise<T>): Promise<T> {
  let isOpen = true
  const guarded = new Proxy(client, {
    get(target, name) {
      if (!isOpen && typeof name === 'string') throw new Error(transactionEnded)
      return Reflect.get(target, name)
    },
  })
  try {
    return await work(guarded)
  } finally {
    isOpen = false
  }
}

/** What the client of a transaction says when it is asked after its end. */
export const transactionEnded =
  'The transaction of this db has ended. After the commit, use the client that the work is given: afterCommit(({ db }) => …).'
