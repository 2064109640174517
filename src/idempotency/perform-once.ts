import type { ActionResult } from '../actions/action-result.ts'
import { contextWithin, type RequestContext } from '../actions/context.ts'
import { retryOnConflict } from '../actions/retry-on-conflict.ts'
import type { TextAnswer } from '../http/response/respond.ts'
import { preparingFirst } from '../write/preparing.ts'
import type { Claim, IdempotencyKeys } from './keys.ts'

export interface Once {
  readonly keys: IdempotencyKeys
  readonly claim: Claim
  /** Before the transaction begins. */
  readonly ahead?: (() => Promise<void>) | undefined
  readonly work: (ctx: RequestContext) => Promise<ActionResult>
  /** The answer as it will be sent. */
  readonly render: (answer: ActionResult) => TextAnswer
}

/**
 * Does all of a request in one transaction, from permission to the text of the answer, which is kept in it: there is no
 * write without its answer, and no answer without its write.
 */
export const performOnce = (ctx: RequestContext, { keys, claim, ahead, work, render }: Once): Promise<TextAnswer> =>
  retryOnConflict(ctx, '', async () => {
    await ahead?.()
    return preparingFirst(() =>
      ctx.store.write(async (transaction) => {
        const answer = render(await work(contextWithin(ctx, transaction)))
        await keys.complete(transaction, claim, answer)
        return answer
      }),
    )
  })
