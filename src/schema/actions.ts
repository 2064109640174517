import type { InferType, ISchema } from 'yup'
import type { Meta } from '../document/types.ts'
import type { ModelName, RowOf, TransactionClient, User } from '../model/register.ts'
import type { Row } from '../model/where.ts'

/** Where an action lies: at one resource, `/posts/1/-actions/publish`, or at the type, `/posts/-actions/import`. */
export type ActionPlace = 'member' | 'collection'

/** Rules of the members of the request document's `meta`, by name or by a path below one (`tags.*`). */
export type ActionRules = Readonly<Record<string, ISchema<unknown>>>

type InputOf<R extends ActionRules> = {
  readonly [Name in keyof R as Name extends `${string}.${string}` ? never : Name]: InferType<R[Name]>
}

/** What the handler of an action works with. */
export interface ActionEvent<M extends ModelName, On extends ActionPlace, R extends ActionRules> {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
  /** The resource's row, as it is inside of the transaction; null for an action on the collection. */
  readonly row: On extends 'member' ? RowOf<M> : null
  /** What was sent in `meta` and has a rule; validated, as documents write it. */
  readonly input: InputOf<R>
  /** The whole request document as it was sent, not validated; undefined where there was none. */
  readonly document: unknown
  /** Prisma Client inside of the action's transaction. It knows no scopes, and its writes run no hooks. */
  readonly db: TransactionClient
  /** The row of the action's own model with that id, inside of the transaction; null when it is absent or hidden. */
  find(id: string): Promise<RowOf<M> | null>
  /** Does the work once the transaction is committed, and never when it is not. Its failure is logged and changes no answer. */
  afterCommit(work: () => void | Promise<void>): void
}

/** A row, or as much of it as says which one it is. */
export type Named<M extends ModelName> = Partial<RowOf<M>>

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing returns nothing
type Result<A extends ModelName> = Named<A> | readonly Named<A>[] | MetaAnswer | null | void

export interface ActionOptions<
  M extends ModelName,
  On extends ActionPlace,
  A extends ModelName,
  R extends ActionRules,
> {
  /** By default `member`. */
  readonly on?: On
  /** The HTTP method; by default POST. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The model of the rows that it answers with; by default the schema's own. */
  readonly answers?: A
  /** The status of an answer that has a document; by default 200. */
  readonly status?: 200 | 201 | 202
  /** Stands before `handle`, whose `input` is typed by it. */
  readonly rules?: R
  /**
   * Does the work, inside of one transaction; what it throws undoes it, and a `JsonApiError` is the answer then. It may run
   * again when the transaction met another one. A row answers with its resource, an array with a collection, `meta(…)`
   * with a meta document, null with `data: null`, nothing at all with 204.
   */
  handle(event: ActionEvent<M, On, R>): Result<A> | Promise<Result<A>>
}

/** What `this.action(…)` of a schema class makes. */
export interface DeclaredAction {
  readonly name: string
  readonly on?: ActionPlace
  readonly method?: Action['method']
  readonly answers?: string
  readonly status?: Action['status']
  readonly rules?: ActionRules
  handle(event: object): unknown
}

/** A custom action of a type, compiled; frozen. */
export interface Action {
  /** In URLs, and for policies. */
  readonly name: string
  readonly on: ActionPlace
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The model of the rows that it answers with. */
  readonly answers: string
  readonly status: 200 | 201 | 202
  readonly rules: ActionRules
  handle(event: object): unknown
}

/** An answer without primary data. Made by `meta`. */
export class MetaAnswer {
  readonly meta: Meta

  constructor(members: Meta) {
    this.meta = members
  }
}

/**
 * Answers a custom action with a document that has nothing but `meta`.
 * @example
 * handle: async ({ db }) => meta({ drafts: await db.post.count({ where: { publishedAt: null } }) })
 */
export const meta = (members: Meta): MetaAnswer => new MetaAnswer(members)

/** What a handler returned. */
export type ActionResult = Row | readonly Row[] | MetaAnswer | null | undefined

/** @throws {Error} for what cannot be an action, naming it and the cure. */
export function compileActions(
  model: string,
  declared: readonly DeclaredAction[],
  isServed: (model: string) => boolean,
): ReadonlyMap<string, Action> {
  const actions = new Map<string, Action>()
  for (const { name, on = 'member', method = 'POST', answers = model, status = 200, rules = {}, handle } of declared) {
    const fault = (text: string) => new Error(`action('${name}') of ${model}: ${text}`)
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      throw fault('its name is a part of URLs and of policies. Use letters and digits, beginning with a small letter.')
    if (actions.has(name)) throw fault('there are two of that name. Give one of them another name.')
    if (!isServed(answers)) throw fault(`${answers} is not served. Answer with rows of a model that is.`)
    if (method === 'GET' && Object.keys(rules).length > 0)
      throw fault('a GET request has no document, so there is nothing for its rules. Remove them, or choose POST.')
    actions.set(name, Object.freeze({ name, on, method, answers, status, rules, handle }))
  }
  return actions
}
