import type { Awaitable } from '../model/awaitable.ts'
import type { Answer, Plan, PlanKind, Reader } from './reader.ts'
import type { AfterCommit, ReaderThreads, SingleStatementWriter, Store, Transaction } from './store.ts'

/** Does a read, and something around it. It answers with what `read` gives, or with an answer of its own. */
export type AroundRead = <Kind extends PlanKind>(
  plan: Plan<Kind>,
  read: () => Awaitable<Answer<Kind>>,
) => Awaitable<Answer<Kind>>

/** The same reader, with something done around each read. */
export const wrap = (reader: Reader, around: AroundRead): Reader => ({
  read: <Kind extends PlanKind>(plan: Plan<Kind>) => around<Kind>(plan, () => reader.read(plan)),
})

/** What is done around the work of a store; what is left out stays as it is. */
export interface AroundStore {
  /** Around each read, outside of transactions and inside. */
  readonly read?: AroundRead
  /** Around each write: a transaction with all of its attempts; or a single statement, whose model is known. */
  readonly write?: <T>(write: () => Promise<T>, model?: string) => Promise<T>
  /** Around the work of each attempt at a transaction. */
  readonly attempt?: <T>(work: () => Promise<T>) => Promise<T>
  /** What is done in the place of work for after the commit. */
  readonly afterCommit?: (work: AfterCommit) => AfterCommit
}

/** The same store, with something done around its reads and writes. */
export function wrapStore(store: Store, around: AroundStore): Store {
  const { read, write = run, attempt = run, afterCommit } = around
  const inside = (transaction: Transaction): Transaction => ({
    ...transaction,
    ...(read && { reader: wrap(transaction.reader, read) }),
    ...(afterCommit && { afterCommit: (work: AfterCommit) => transaction.afterCommit(afterCommit(work)) }),
  })
  return {
    ...store,
    ...(read && { reader: wrap(store.reader, read), threads: store.threads && wrapThreads(store.threads, read) }),
    write: (work, onBroken) =>
      write(() => store.write((transaction) => attempt(() => work(inside(transaction))), onBroken)),
    single: store.single && wrapSingle(store.single, { write, afterCommit }),
  }
}

const wrapThreads = (threads: ReaderThreads, around: AroundRead): ReaderThreads => ({
  ...threads,
  read: (work, isWorthTrying) => threads.read((reader) => work(wrap(reader, around)), isWorthTrying),
})

const run = <T>(work: () => Promise<T>): Promise<T> => work()

const wrapSingle = (
  single: SingleStatementWriter,
  { write, afterCommit }: Required<Pick<AroundStore, 'write'>> & { readonly afterCommit: AroundStore['afterCommit'] },
): SingleStatementWriter => ({
  reasonAgainstInsert: single.reasonAgainstInsert,
  returnsRows: (model) => single.returnsRows(model),
  hasForeignKey: (model, relation) => single.hasForeignKey(model, relation),
  insert: (plan) => write(() => single.insert(plan), plan.model),
  update: (plan) => write(() => single.update(plan), plan.model),
  remove: (plan) => write(() => single.remove(plan), plan.model),
  decline: (model, reason) => single.decline(model, reason),
  finish: (works) => single.finish(afterCommit ? works.map(afterCommit) : works),
})
