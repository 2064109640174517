import { routeNotFound } from '../../document/errors.ts'
import { stagesAt } from '../plugin.ts'
import { compose, type HttpStage } from '../stage.ts'

/** Answers what belongs to the server itself, and to no type. */
export const answerOwnPaths: HttpStage = (next, api) => {
  const answerUnrouted = compose(api, [...stagesAt(api, 'unrouted'), refusePath])
  return (call) => {
    if (call.route || call.isAtomic) return next(call)
    return call.page ? call.page(call) : answerUnrouted(call)
  }
}

const refusePath: HttpStage = () => (call) => {
  throw routeNotFound(call.koa.path)
}
