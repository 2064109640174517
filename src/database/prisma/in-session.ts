import { frameworkRole, guardedRole, type Session, sessionSettings } from '../session.ts'
import type { Store, Transaction } from '../store.ts'
import { type RawClient, setSettings } from './raw-client.ts'

/**
 * The store of one request, where every transaction begins by telling the session: those of single reads, and of work after a commit,
 * too. A transaction says at its end what it has written and its caller does not see, because answers show what was created; so no
 * row is created by a single statement.
 */
export function inSession(store: Store, begun: Session): Store {
  let session = begun
  return {
    ...store,
    reader: {
      read(plan) {
        const isLog = plan.model === session.log
        return store.reader.read({ ...plan, session: isLog ? { ...session, role: frameworkRole } : session })
      },
    },
    // Where reads are done beside the event loop there are no sessions.
    threads: null,
    write: (work, onBroken) =>
      store.write(async (transaction) => {
        await tell(transaction, session)
        const result = await work(transaction)
        session = { ...session, written: await writtenBy(transaction) }
        return result
      }, onBroken),
    single: store.single && {
      ...store.single,
      reasonAgainstInsert: 'the session that is told of new rows',
      update: (plan) => store.single?.update({ ...plan, session }) ?? Promise.resolve(null),
      remove: (plan) => store.single?.remove({ ...plan, session }) ?? Promise.resolve(false),
    },
    committed: () => store.committed((client) => tell({ client }, session)),
  }
}

const rawOf = ({ client }: Pick<Transaction, 'client'>): RawClient => client as unknown as RawClient

/** The first thing that a transaction does. */
export const tell = (transaction: Pick<Transaction, 'client'>, session: Session): Promise<unknown> =>
  setSettings(rawOf(transaction), sessionSettings(session))

/** Does work of the framework's own in the transaction of a request, which has its role again afterwards. */
export async function asFramework<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  await setSettings(rawOf(transaction), [['role', frameworkRole]])
  const result = await work()
  await setSettings(rawOf(transaction), [['role', guardedRole]])
  return result
}

async function writtenBy(transaction: Transaction): Promise<string> {
  const [row] = await rawOf(transaction).$queryRawUnsafe(`SELECT current_setting('prismapi.written') AS written`)
  return String(row?.written ?? '')
}
