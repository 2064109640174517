import { tooExpensive } from '../document/errors.ts'
import { type Awaitable, after } from '../model/awaitable.ts'
import { sizeParameter } from '../request/request-url.ts'
import type { Scan } from './column-price.ts'
import { type AskedContext, parameterPrices, type Subject } from './parameters.ts'
import { type Price, priceOfCollection, priceOfShown } from './price.ts'

export interface CheckedContext extends AskedContext {
  readonly server: AskedContext['server'] & { readonly production: boolean }
}

/**
 * The price of what is asked for, before anything of it is read.
 *
 * @throws {JsonApiError} 400 where it is more than a request may cost, at the dearest parameter.
 */
export const checkPrice = (ctx: CheckedContext, subject: Subject): Awaitable<Price> =>
  after(ctx.store.tableSizes.first(), () => checked(ctx, subject))

function checked(ctx: CheckedContext, subject: Subject): Awaitable<Price> {
  const { query, plan, schemas, parents } = subject
  const price = plan ? priceOfCollection(ctx, plan, query) : priceOfShown(ctx, schemas, { query, parents })
  const { cost: limit } = ctx.limits
  const points = Math.round(price.points)
  if (points <= limit && !ctx.observer?.priced) return price
  const told = ctx.observer?.priced?.({ points, limit, parameters: () => parameterPrices(ctx, subject) })
  return after(told, () => {
    if (points > limit) throw tooDear(ctx, subject, price)
    return price
  })
}

function tooDear(ctx: CheckedContext, subject: Subject, { points }: Price) {
  const [dearest] = parameterPrices(ctx, subject)
  const told = `Its price is ${Math.round(points)}, and ${ctx.limits.cost} is the limit.${cureOf(dearest?.scans ?? [])}`
  return tooExpensive(dearest?.parameter ?? sizeParameter(ctx.at), ctx.server.production ? null : told)
}

/** Sizes of tables are told by figures; in production there are none. */
function cureOf(scans: readonly Scan[]): string {
  const missing = scans.find(({ isSearch }) => !isSearch)
  if (missing) return ` @@index([${missing.column}]) of the model ${missing.model} would help.`
  const [search] = scans
  return search
    ? ` No index helps a search in ${search.model}.${search.column}; beside it, a condition on a column with one does.`
    : ''
}
