import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { ActionResult } from '../actions/context.ts'
import type { DirectFeature } from '../server/incoming-request.ts'
import type { PagePart } from '../server/page-part.ts'
import type { ServerContext } from '../server/serving.ts'
import type { Api } from './api.ts'
import type { Call } from './call.ts'
import type { ReadyAnswer } from './response/respond.ts'

/**
 * An optional feature: stages of its own at five places of the list in `http/jsonapi.ts`, and what it does around the
 * execution.
 */
export interface Plugin extends DirectFeature {
  /** What it answers at paths below the base path, which belong to no type: `/openapi.json`. */
  readonly paths?: (api: Api) => ReadonlyMap<string, Handler>
  /** The path at which it describes the server, which the start page of the server links to. */
  readonly describedAt?: string
  /** Around all that follows, including errors as documents: here an answer becomes something else, such as a page. */
  readonly outermost?: HttpStage
  /** Around the whole call: behind it there is an answer, an error too. Preferences and observers begin here. */
  readonly around?: HttpStage
  /** The path and the method are known; nothing is checked yet. */
  readonly located?: HttpStage
  /** No type is served at the path. A stage here answers, or calls `next`, which throws the 404. */
  readonly unrouted?: HttpStage
  /** The user, the URL and the document are known, and are right in their syntax. */
  readonly prepared?: HttpStage
  /** What it shows on pages, where browsers get these. */
  readonly page?: PagePart
  /** The context in which a page reads what it shows beside the document. */
  readonly pageContext?: (call: Call, ctx: ServerContext) => ServerContext
  /** Around the execution of what is asked. */
  readonly execute?: (next: Execute, api: Api) => Execute
  /** True: `execute` gives back what reads answer with as it is; left out, their answers are not kept. */
  readonly executesWrites?: boolean
}

/** Carries out what a call asks for. */
export type Execute = (call: Call) => Awaitable<ActionResult | ReadyAnswer>

/** The stages of the plug-ins for one place of the list, the first plug-in outermost. */
export const stagesAt = ({ plugins }: Api, place: StagePlace): readonly HttpStage[] =>
  plugins.flatMap((plugin) => plugin[place] ?? [])

type StagePlace = 'outermost' | 'around' | 'located' | 'unrouted' | 'prepared'

/** Answers a call, or throws. */
export type Handler = (call: Call) => Awaitable<void>

/**
 * A part of the way of a request. It is resolved at boot: a stage that a server has no use for gives `next` back, and
 * costs nothing.
 */
export type HttpStage = (next: Handler, api: Api) => Handler

/** One handler of stages in reading order. The last one must not go on. */
export const compose = (api: Api, stages: readonly HttpStage[]): Handler =>
  stages.reduceRight<Handler>((next, stage) => stage(next, api), refuseToGoOn)

const refuseToGoOn: Handler = () => {
  throw new Error('http/plugin.ts: the last stage went on. End the list with one that answers.')
}
