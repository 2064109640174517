import type { Provider } from '@prismapi/jsonapi/model/meta'
import type { Answer, Plan, PlanKind, Reader } from '../reader.ts'
import {
  type Ask,
  askBy,
  frameworkRole,
  frameworkSession,
  type Session,
  type Settings,
  type Signature,
  sessionSettings,
  setSettings,
  signatureSettings,
  trustedRole,
} from '../session.ts'
import type { Bound, SqlWriter } from '../sql-database.ts'
import type {
  Clients,
  Delegates,
  InSession,
  PrismaClientLike,
  ReadingTransaction,
  Store,
  Transaction,
} from '../store.ts'
import { wrap } from '../wrap.ts'
import { inTurn, type Turn, Turns } from './as-system.ts'
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
        const { inSession } = transaction
        if (inSession) return work({ ...transaction, ...inSession(session) })
        const shared = await SharedTransaction.begin(transaction, session)
        const result = await work({ ...transaction, ...shared.within(session) })
        session = { ...session, written: await shared.writtenBy(session) }
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

/** A transaction of which each caller has a part, as `api.as` in hooks: it has the session of one of them at a time. */
class SharedTransaction {
  readonly #transaction: ReadingTransaction
  readonly #turns: Turns<Session>
  /** Which session the transaction has. */
  #entered: Session
  /** What the other callers have written, and linked, that they do not see. */
  readonly #lists = new Map<string, Settings>()

  private constructor(transaction: ReadingTransaction, first: Session) {
    this.#transaction = transaction
    this.#entered = first
    const isSame = (one: Session, other: Session) => one.role === other.role && one.caller === other.caller
    this.#turns = new Turns(first, { isSame, enter: (session) => this.#enter(session) })
  }

  static async begin(transaction: ReadingTransaction, first: Session): Promise<SharedTransaction> {
    await tell(transaction, first)
    return new SharedTransaction(transaction, first)
  }

  /** The transaction as a session has it. */
  within(session: Session): InSession {
    const { reader, client, writer, joinRows, ask } = this.#transaction
    const turn: Turn = (operation) => this.#turns.take(session, operation)
    const asSystem: Turn = (operation) => this.#turns.take({ ...session, role: trustedRole }, operation)
    return {
      client: inTurn(client, turn),
      reader: wrap(reader, (plan, read) => this.#turns.take(plan.session ?? session, async () => read())),
      ask: (sql, values) => turn(() => ask(sql, values)),
      writer: {
        insert: (row) => turn(() => writer.insert(row)),
        update: (change) => turn(() => writer.update(change)),
        remove: (removal) => turn(() => writer.remove(removal)),
      },
      joinRows: {
        linked: (of, onRead) => turn(async () => joinRows.linked(of, onRead)),
        link: (of, targets) => turn(() => joinRows.link(of, targets)),
        unlink: (of, targets) => turn(() => joinRows.unlink(of, targets)),
      },
      asSystem: () => inTurn(client, asSystem),
      asFramework: (framework) => this.#turns.take({ ...session, role: frameworkRole }, () => framework(writer)),
      inSession: (other) => this.within(other),
    }
  }

  /** What a session has written and its caller does not see. */
  writtenBy(session: Session): Promise<string> {
    return this.#turns.take(session, async () => (await this.#listsNow())[0]?.[1] ?? '')
  }

  /** @throws {Error} for a database whose roles are older than this one. */
  async #enter(session: Session): Promise<void> {
    const { role, caller } = session
    const last = this.#entered
    const isOther = last.caller !== caller
    if (isOther) this.#lists.set(last.caller, await this.#listsNow())
    const lists = isOther ? (this.#lists.get(caller) ?? noLists) : []
    try {
      await setSettings(this.#transaction.ask, [['role', role], ['prismapi.caller', caller], ...lists])
    } catch (cause) {
      if (!String(cause).includes('permission denied to set role')) throw cause
      const cure = 'Apply the migration that npx prismapi rls prints now.'
      throw new Error(`The database lets no request become ${role}. ${cure}`, { cause })
    }
    this.#entered = session
  }

  async #listsNow(): Promise<Settings> {
    const shown = noLists.map(([name]) => `current_setting('${name}', true)`)
    const [values = []] = await this.#transaction.ask(`SELECT ${shown.join(', ')}`, [])
    return noLists.map(([name], i) => [name, String(values[i] ?? '')])
  }
}

/** The lists of rows that a guarded database keeps of a transaction. */
const noLists: Settings = [
  ['prismapi.written', ''],
  ['prismapi.linked', ''],
]

/** The first thing that a transaction does. */
const tell = ({ ask }: Pick<Transaction, 'ask'>, session: Session): Promise<unknown> =>
  setSettings(ask, sessionSettings(session))

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
