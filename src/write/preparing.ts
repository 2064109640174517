import type { Row } from '../model/where.ts'
import type { Prepared, ShownToHooks } from '../request/preparation.ts'
import { hasPrepareHooks, prepareEvent, runPrepareHooks } from './hooks.ts'
import { inputOf, newColumns, ownColumns, type WriteInput } from './input/write-input.ts'
import { Reads } from './reads.ts'
import type { Subject, WriteContext } from './write-context.ts'

/** A write inside of a transaction came upon hooks that run outside of it. The transaction is undone, and begins again after `run`. */
class Unprepared extends Error {
  readonly run: () => Promise<unknown>

  constructor(run: () => Promise<unknown>) {
    super('preparing hooks have to run before the transaction begins.')
    this.run = run
  }
}

/** What a hook reads may be another one in each transaction, such as the id of a new row: after that it runs inside. */
const runsOutside = 3

/**
 * What fills the row, with what `preparing` hooks say.
 *
 * @param row as it is now; null on create.
 */
export async function withPreparedColumns(subject: Subject, row: Row | null, input: WriteInput): Promise<WriteInput> {
  const { ctx, schema } = subject
  const model = schema.model.name
  if (!hasPrepareHooks(ctx, model)) return input
  const data = await (row ? ownColumns(subject, row, input) : newColumns(subject, input))
  const [columns = {}] = await preparedColumns([{ ctx, model, shown: { row, data, input: inputOf(input) } }])
  return { ...input, columns }
}

interface ToPrepare {
  readonly ctx: WriteContext
  readonly model: string
  readonly shown: ShownToHooks
}

/**
 * What `preparing` hooks set of each row. They run before the transaction begins, once for each resource, however often the write is tried;
 * and again where something that they have read is another one by then.
 */
export async function preparedColumns(rows: readonly ToPrepare[]): Promise<readonly Row[]> {
  const missing = rows.filter(
    ({ ctx, model, shown }) => hasPrepareHooks(ctx, model) && !ctx.preparation.prepared?.isFor(shown),
  )
  const run = async () => {
    for (const { ctx, model, shown } of missing) {
      ctx.preparation.runs++
      ctx.preparation.prepared = await prepare(ctx, model, shown)
    }
  }
  if (missing.some(({ ctx }) => ctx.store.isWithin && ctx.preparation.runs < runsOutside)) throw new Unprepared(run)
  await run()
  return rows.map(({ ctx }) => ctx.preparation.prepared?.columns ?? {})
}

async function prepare(ctx: WriteContext, model: string, { row, data, input }: ShownToHooks): Promise<Prepared> {
  const reads = { row: new Reads(), data: new Reads(), input: new Reads() }
  const event = prepareEvent(ctx, {
    action: row ? 'update' : 'create',
    row: row && reads.row.watched(row),
    input: reads.input.watched(input),
  })
  const columns = await runPrepareHooks(ctx, model, (set) => reads.data.watched({ ...data, ...set }), event)
  return {
    columns,
    isFor(now) {
      const isSameRow = row && now.row ? reads.row.areSame(row, now.row) : row === now.row
      return isSameRow && reads.data.areSame(data, now.data) && reads.input.areSame(input, now.input)
    },
  }
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
