import { after } from '../../model/awaitable.ts'
import { priceOfWrite } from '../../price/write-price.ts'
import { contextOf } from '../call.ts'
import type { HttpStage } from '../stage.ts'

/** Tells observers what a write costs, before anything of it is carried out. */
export const priceWrite: HttpStage = (next) => (call) => {
  const { observer, operations, mayWrite } = call
  if (!mayWrite || !observer?.priced) return next(call)
  const { body, limits } = contextOf(call)
  const points = priceOfWrite(body, operations?.length ?? 1)
  return after(observer.priced({ points, limit: limits.cost, parameters: () => [] }), () => next(call))
}
