import { contextWithin } from '@prismapi/core/actions/context'
import { retryOnConflict } from '@prismapi/core/database/attempts'
import type { Call } from '@prismapi/core/http/call'
import { contextOf } from '@prismapi/core/http/call'
import { attempt, prepare } from '@prismapi/core/http/execution'
import { mediaTypeOf, type ReadyAnswer } from '@prismapi/core/http/response/respond'
import { documentText } from '@prismapi/jsonapi/document/rendered'

/** Undoes a transaction, and has what it would have answered. */
class Undone extends Error {
  readonly answer: ReadyAnswer

  constructor(answer: ReadyAnswer) {
    super('A dry run is undone.')
    this.answer = answer
  }
}

/** Carries out a write in a transaction, and undoes it once its answer is made. */
export async function carryOutAndUndo(call: Call): Promise<ReadyAnswer> {
  const ctx = contextOf(call)
  try {
    await retryOnConflict(ctx, '', async () => {
      await prepare(call, ctx)
      return ctx.store.write(async (transaction) => {
        const { status, document, headers = {} } = await attempt(call, contextWithin(ctx, transaction))
        const bytes = document && Buffer.from(documentText(document))
        throw new Undone({ status, headers, mediaType: document && mediaTypeOf(document.jsonapi), etag: null, bytes })
      })
    })
    throw new Error('undo.ts: a dry run was not undone.')
  } catch (error) {
    if (error instanceof Undone) return error.answer
    throw error
  }
}
