import type { Row } from '../model/where.ts'
import { hasPrepareHooks, prepareEvent, runPrepareHooks } from './hooks.ts'
import { inputOf, newColumns, ownColumns, type WriteInput } from './input/write-input.ts'
import type { Subject } from './write-context.ts'

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
export async function withPreparedColumns(subject: Subject, row: Row | null, input: WriteInput): Promise<WriteInput> {
  const { ctx, schema } = subject
  const { preparation, store } = ctx
  if (!hasPrepareHooks(ctx, schema.model.name)) return input
  if (preparation.columns === null) {
    const run = async () => {
      const data = await (row ? ownColumns(subject, row, input) : newColumns(subject, input))
      const event = prepareEvent(ctx, { action: row ? 'update' : 'create', row, input: inputOf(input) })
      preparation.columns = await runPrepareHooks(ctx, schema.model.name, data, event)
    }
    if (store.isWithin) throw new Unprepared(run)
    await run()
  }
  return { ...input, columns: preparation.columns ?? {} }
}

/** Does the work in a transaction of its own; what has to be prepared before is, and the transaction begins again. */
export async function preparingFirst<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error
      await error.run()
    }
  }
}
