import type { Tracing } from '../../request/tracing.ts'
import type { Reader } from '../reader.ts'
import type { PlainWriter, Store } from '../store.ts'
import { explainedReader } from './explained-reader.ts'

/** The store of a request that somebody follows: each read and each write is a stage. */
export const tracedStore = (store: Store, tracing: Tracing): Store => ({
  ...store,
  reader: tracedReader(store.reader, tracing),
  write: (work, onUnique) =>
    tracing.stage('write', () =>
      store.write(
        (transaction) => work({ ...transaction, reader: tracedReader(transaction.reader, tracing) }),
        onUnique,
      ),
    ),
  plain: store.plain && tracedWriter(store.plain, tracing),
})

const tracedReader = (given: Reader, tracing: Tracing): Reader => {
  const reader = tracing.explaining ? explainedReader(given, tracing.explaining) : given
  return {
    rows: (plan) => tracing.stage('read', () => reader.rows(plan), plan.model),
    joined: (plan) => tracing.stage('read', () => reader.joined(plan), plan.model),
    count: (model, where) => tracing.stage('read', () => reader.count(model, where), model),
    countBy: (model, columns, where) => tracing.stage('read', () => reader.countBy(model, columns, where), model),
    countThrough: (plan) => tracing.stage('read', () => reader.countThrough(plan), plan.model),
  }
}

const tracedWriter = (plain: PlainWriter, tracing: Tracing): PlainWriter => ({
  insert: (plan) => tracing.stage('write', () => plain.insert(plan), plan.model),
  update: (plan) => tracing.stage('write', () => plain.update(plan), plan.model),
  finish: (late) => plain.finish(late),
})
