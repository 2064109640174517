import type { Awaitable } from '../model/awaitable.ts'
import type { Api } from './api.ts'
import type { Call } from './call.ts'

/** Answers a call, or throws. */
export type Handler = (call: Call) => Awaitable<void>

/**
 * A part of the way of a request. It is resolved at boot: a stage that a server has no use for gives `next` back, and costs
 * nothing.
 */
export type HttpStage = (next: Handler, api: Api) => Handler

/** One handler of stages in reading order. The last one must not go on. */
export const compose = (api: Api, stages: readonly HttpStage[]): Handler =>
  stages.reduceRight<Handler>((next, stage) => stage(next, api), unanswered)

const unanswered: Handler = () => {
  throw new Error('http/stage.ts: the last stage went on. End the list with one that answers.')
}
