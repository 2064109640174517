import { hasBody } from '../request/body.ts'
import { receive } from '../request/received.ts'
import type { HttpStage } from '../stage.ts'

/** Takes a body as it comes, before anything is waited for. It refuses nothing: what is wrong with it is told when it is read. */
export const receiveBody: HttpStage = (next) => (call) => {
  const { req, res } = call.koa
  if (hasBody(req)) call.received = receive(req, res)
  return next(call)
}
