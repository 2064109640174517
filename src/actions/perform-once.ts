import type { RequestContext } from '../request/context.ts'
import type { Claim, IdempotencyKeys } from '../store/idempotency/keys.ts'
import type { KeptAnswer } from '../store/idempotency/row.ts'
import type { Answer } from './answer.ts'
import { contextWithin } from './atomic-context.ts'
import { beginAnew } from './begin-anew.ts'

export interface Once {
  readonly keys: IdempotencyKeys
  readonly claim: Claim
  readonly work: (ctx: RequestContext) => Promise<Answer>
  /** The answer as it will be sent. */
  readonly render: (answer: Answer) => KeptAnswer
}

/**
 * Does all of a request in one transaction, from permission to the text of the answer, which is kept in it: there is no
 * write without its answer, and no answer without its write.
 */
export const performOnce = (ctx: RequestContext, { keys, claim, work, render }: Once): Promise<KeptAnswer> =>
  beginAnew(ctx, '', () =>
    ctx.store.write(async (transaction) => {
      const answer = render(await work(contextWithin(ctx, transaction)))
      await keys.complete(transaction, claim, answer)
      return answer
    }),
  )
