import type { Signature } from '../database/signature.ts'
import type { Store } from '../database/store.ts'

/** The store of a request whose changes are logged with its user. */
export function signedStore(store: Store, signatureOf: () => Signature): Store {
  const { single } = store
  return {
    ...store,
    write: (work, onBroken) =>
      store.write((transaction) => transaction.signed(signatureOf(), () => work(transaction)), onBroken),
    single: single && {
      ...single,
      insert: async (plan) => single.insert({ ...plan, signature: signatureOf() }),
      update: async (plan) => single.update({ ...plan, signature: signatureOf() }),
      remove: async (plan) => single.remove({ ...plan, signature: signatureOf() }),
    },
  }
}
