import type { Row } from '@prismapi/jsonapi/model/where'
import type { Prepared, ShownToHooks } from '@prismapi/jsonapi/request/write-state'
import { preparedOutside, Unprepared } from '../database/attempts.ts'
import { hasPrepareHooks, prepareEvent, runPrepareHooks } from './hooks.ts'
import { inputOf, newColumns, ownColumns, type WriteInput } from './input.ts'
import type { Subject, WriteContext } from './write-context.ts'
import { isSameRow, isSameValue } from './write-row.ts'

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
 * The columns that `preparing` hooks set for each row. The hooks run before the transaction begins, once for each
 * resource, however often the write is tried, and again only if something that they read has changed.
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
  if (missing.some(({ ctx }) => ctx.store.isWithin && ctx.preparation.runs < preparedOutside)) throw new Unprepared(run)
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

/** Which members of an object a hook reads. */
class Reads {
  readonly #members = new Set<PropertyKey>()
  #isAll = false

  /** The object, as the hook is given it. */
  watched<T extends Row>(object: T): T {
    return new Proxy(object, {
      get: (target, member) => {
        this.#members.add(member)
        return Reflect.get(target, member)
      },
      has: (target, member) => {
        this.#members.add(member)
        return Reflect.has(target, member)
      },
      ownKeys: (target) => {
        this.#isAll = true
        return Reflect.ownKeys(target)
      },
    })
  }

  /** Have both what was read, and the same of it. */
  areSame(one: Row, other: Row): boolean {
    if (this.#isAll) return isSameRow(one, other)
    return [...(this.#members as Set<string>)].every(
      (member) => member in one === member in other && isSameValue(one[member], other[member]),
    )
  }
}
