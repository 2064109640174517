import type { Delegates } from '../store.ts'

/** Does the work with a transaction's client, which refuses all that comes when the work has ended: what was taken from it, too. */
export async function whileOpen<T>(client: Delegates, work: (client: Delegates) => Promise<T>): Promise<T> {
  let isOpen = true
  const checkOpen = () => {
    if (!isOpen) throw new Error(transactionEnded)
  }
  try {
    return await work(guarded(client, checkOpen))
  } finally {
    isOpen = false
  }
}

/** The same object, whose members are checked when they are taken and when they are called. */
function guarded<Guarded extends object>(object: Guarded, checkOpen: () => void): Guarded {
  const kept = new Map<string, unknown>()
  return new Proxy(object, {
    get(target, name) {
      if (typeof name !== 'string') return Reflect.get(target, name)
      checkOpen()
      if (!kept.has(name)) kept.set(name, guardedMember(target, Reflect.get(target, name), checkOpen))
      return kept.get(name)
    },
  })
}

function guardedMember(owner: object, member: unknown, checkOpen: () => void): unknown {
  if (typeof member === 'function')
    return (...args: readonly unknown[]) => {
      checkOpen()
      return member.apply(owner, args)
    }
  const isDelegate = typeof member === 'object' && member !== null && 'findMany' in member
  return isDelegate ? guarded(member, checkOpen) : member
}

/** What the client of a transaction says when it is asked after its end. */
export const transactionEnded =
  'The transaction of this db has ended. After the commit, use the client that the work is given: afterCommit(({ db }) => …).'
