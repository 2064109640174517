import type { Row } from '../../model/where.ts'
import { type Filling, inputOf, newColumns, ownColumns } from '../filling/filling.ts'
import type { Subject } from '../filling/subject.ts'
import { hasPrepareHooks, prepareEvent, runPrepareHooks } from '../hooks.ts'

/** A write inside of a transaction came upon hooks that run outside of it. The transaction is undone, and begins again after `run`. */
class Unprepared extends Error {
  readonly run: () => Promise<void>

  constructor(run: () => Promise<void>) {
    super('preparing hooks have to run before the transaction begins.')
    this.run = run
  }
}

/**
 * What fills the row, with what `preparing` hooks say. They run before the transaction begins, once for each resource, however
 * often the write is tried.
 *
 * @param row as it is now; null on create.
 */
export async function prepare(subject: Subject, row: Row | null, filling: Filling): Promise<Filling> {
  const { ctx, schema } = subject
  const { preparation, store } = ctx
  if (!hasPrepareHooks(ctx, schema.model.name)) return filling
  if (preparation.columns === null) {
    const run = async () => {
      const data = await (row ? ownColumns(subject, row, filling) : newColumns(subject, filling))
      const event = prepareEvent(ctx, { action: row ? 'update' : 'create', row, input: inputOf(filling) })
      preparation.columns = await runPrepareHooks(ctx, schema.model.name, data, event)
    }
    if (store.isWithin) throw new Unprepared(run)
    await run()
  }
  return { ...filling, columns: preparation.columns ?? {} }
}

/** Does the work in a transaction of its own; what has to be prepared before is, and the transaction begins again. */
export async function prepared<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error
      await error.run()
    }
  }
}
