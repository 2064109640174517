import type { Provider } from '@prismapi/jsonapi/model/meta'
import type { Answer, Plan, PlanKind, Reader } from '../reader.ts'
import {
  type Ask,
  askBy,
  frameworkRole,
  frameworkSession,
  type Session,
  type Signature,
  sessionSettings,
  setSettings,
  signatureSettings,
  trustedRole,
} from '../session.ts'
import type { Bound, SqlWriter } from '../sql-database.ts'
import type { Clients, Delegates, PrismaClientLike, Store, Transaction } from '../store.ts'
import { wrap } from '../wrap.ts'
import { inTurn, Turns } from './as-system.ts'
import type { TransactionalClient } from './committed-client.ts'
import { translated } from './database-errors.ts'

/**
 * The store of one request, where every transaction begins by telling the session: those of single reads, and of work
 * after a commit, too. A transaction says at its end what it has written and its caller does not see, because answers
 * show what was created; so no row is created by a single statement.
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
        const turns = new Turns()
        const { reader, client, writer, joinRows, ask } = transaction
        const inRole = <T>(role: string, work: () => PromiseLike<T>) =>
          turns.alone(() => workInRole(transaction, [role, session.role], work))
        const result = await work({
          ...transaction,
          client: inTurn(client, (operation) => turns.beside(operation)),
          reader: wrap(reader, (_, read) => turns.beside(async () => read())),
          ask: (sql, values) => turns.beside(() => ask(sql, values)),
          writer: {
            insert: (row) => turns.beside(() => writer.insert(row)),
            update: (change) => turns.beside(() => writer.update(change)),
            remove: (removal) => turns.beside(() => writer.remove(removal)),
          },
          joinRows: {
            linked: (of, onRead) => turns.beside(async () => joinRows.linked(of, onRead)),
            link: (of, targets) => turns.beside(() => joinRows.link(of, targets)),
            unlink: (of, targets) => turns.beside(() => joinRows.unlink(of, targets)),
          },
          asSystem: () => inTurn(client, (operation) => inRole(trustedRole, operation)),
          asFramework: (framework) => inRole(frameworkRole, () => framework(writer)),
        })
        session = { ...session, written: await turns.beside(() => writtenBy(transaction)) }
        return result
      }, onBroken),
    single: store.single && {
      ...store.single,
      reasonAgainstInsert: 'the session that is told of new rows',
      update: (plan) => store.single?.update({ ...plan, session }) ?? Promise.resolve(null),
      remove: (plan) => store.single?.remove({ ...plan, session }) ?? Promise.resolve(false),
    },
    committed: () => store.committed((client) => tell({ ask: askBy(client) }, session)),
  }
}

/**
 * Does work in another role. Afterwards the transaction has its caller's again, where the work fails, too: a hook that
 * catches the error goes on as its caller.
 */
async function workInRole<T>(
  transaction: Pick<Transaction, 'ask'>,
  [role, own]: readonly [role: string, own: string],
  work: () => PromiseLike<T>,
): Promise<T> {
  const endRole = () => become(transaction, own)
  await become(transaction, role)
  let result: T
  try {
    result = await work()
  } catch (error) {
    // It fails where a statement has: PostgreSQL refuses all others until the transaction is undone, and its role with
    // it.
    await endRole().catch(() => {})
    throw error
  }
  await endRole()
  return result
}

/** @throws {Error} for a database whose roles are older than this one. */
async function become({ ask }: Pick<Transaction, 'ask'>, role: string): Promise<void> {
  try {
    await setSettings(ask, [['role', role]])
  } catch (cause) {
    if (!String(cause).includes('permission denied to set role')) throw cause
    const cure = 'Apply the migration that npx prismapi rls prints now.'
    throw new Error(`The database lets no request become ${role}. ${cure}`, { cause })
  }
}

/** The first thing that a transaction does. */
const tell = ({ ask }: Pick<Transaction, 'ask'>, session: Session): Promise<unknown> =>
  setSettings(ask, sessionSettings(session))

async function writtenBy({ ask }: Transaction): Promise<string> {
  const [[written] = []] = await ask(`SELECT current_setting('prismapi.written') AS written`, [])
  return String(written ?? '')
}

// As long as writes may wait, and take.
const limits = { maxWait: 10_000, timeout: 10_000 }

/** Reads by Prisma: a plan with a session in a transaction of its own, which begins with it. */
export function readerWithSessions(client: object, readerOf: (client: Delegates) => Reader): Reader {
  const plain = readerOf(client as Delegates)
  return {
    read<Kind extends PlanKind>(plan: Plan<Kind>) {
      const { session } = plan
      if (!session) return plain.read(plan)
      return translated(() =>
        (client as TransactionalClient).$transaction(async (inside): Promise<Answer<Kind>> => {
          await tell({ ask: askBy(inside) }, session)
          return readerOf(inside).read(plan)
        }, limits),
      )
    },
  }
}

interface SignedParts {
  readonly ask: Ask
  readonly provider: Provider
  readonly writer: SqlWriter | null
}

/** Does the work of a transaction that has just begun, whose changes the log has with a signature. */
export async function signedWork<T>(
  { ask, provider, writer }: SignedParts,
  signature: Signature,
  work: () => Promise<T>,
): Promise<T> {
  if (provider !== 'sqlite') {
    // The triggers read settings of the transaction.
    await setSettings(ask, signatureSettings(signature))
    return work()
  }
  const sign = writer?.mark?.() ?? (await markBy(ask))
  const result = await work()
  await sign(signature)
  return result
}

/** No other connection writes meanwhile: what comes behind the place where the log ends is of this transaction. */
async function markBy(ask: Ask): Promise<(signature: Signature) => Promise<unknown>> {
  const [[last] = []] = await ask('SELECT max("id") AS "last" FROM "Change"', [])
  return ({ request, user }) =>
    ask('UPDATE "Change" SET "request" = ?, "user" = ? WHERE "id" > ? AND "request" IS NULL AND "user" IS NULL', [
      request,
      user,
      (last ?? 0) as Bound,
    ])
}

/**
 * The clients by which the framework reads and prunes the log of changes of a guarded database: its own, whoever is
 * asking.
 */
export function frameworkClients(clients: Clients, store: Store): Clients {
  const own = store.committed((client) => tell({ ask: askBy(client) }, frameworkSession)) as PrismaClientLike
  return { ...clients, reader: own, writer: own }
}
