import type { ActionResult } from '../actions/action-result.ts'
import type { Store } from '../database/store.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { ServerContext } from '../server/server-context.ts'
import type { Api } from './api.ts'
import type { Call } from './call.ts'
import type { TextAnswer } from './response/respond.ts'
import type { Handler, HttpStage } from './stage.ts'

/** An optional feature: stages of its own at five places of the list in `http/jsonapi.ts`, and what it does around the execution. */
export interface Plugin {
  /** What it answers at paths below the base path, which belong to no type: `/openapi.json`. */
  readonly paths?: (api: Api) => ReadonlyMap<string, Handler>
  /** The path at which it describes the server, which the start page of the server links to. */
  readonly describedAt?: string
  /** Around all that follows, errors as documents among it: what answers is made into something else here, such as a page. */
  readonly outermost?: HttpStage
  /** Around the whole call: behind it there is an answer, an error too. Preferences and observers begin here. */
  readonly around?: HttpStage
  /** The path and the method are known; nothing is checked yet. */
  readonly located?: HttpStage
  /** Nothing of a type is served at the path; what goes on is a 404. */
  readonly unrouted?: HttpStage
  /** The user, the URL and the document are known, and are right in their syntax. */
  readonly prepared?: HttpStage
  /** What a request asks the database by, once its user is known: the store that it was given, wrapped. */
  readonly store?: (store: Store, call: Call) => Store
  /** The context in which a page reads what it shows beside the document. */
  readonly pageContext?: (call: Call, ctx: ServerContext) => ServerContext
  /** Around the execution of what is asked. */
  readonly execute?: (next: Execute, api: Api) => Execute
}

/** Carries out what a call asks for. */
export type Execute = (call: Call) => Awaitable<ActionResult | TextAnswer>

/** The stages of the plug-ins for one place of the list, the first plug-in outermost. */
export const stagesAt = ({ plugins }: Api, place: Place): readonly HttpStage[] =>
  plugins.flatMap((plugin) => plugin[place] ?? [])

type Place = 'outermost' | 'around' | 'located' | 'unrouted' | 'prepared'
