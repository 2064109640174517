import type { InferType, ISchema } from 'yup'
import type { Text } from '../document/text.ts'
import type { Meta } from '../document/types.ts'
import type {
  BasePathParams,
  DatabaseClient,
  DataOf,
  ModelName,
  RowOf,
  Services,
  TransactionClient,
  User,
} from '../model/register.ts'
import type { VisibleOptions, VisibleRows } from '../model/visible-rows.ts'
import type { Row } from '../model/where.ts'
import { checkDeprecation, type Deprecation } from './deprecation.ts'

/** Where an action lies: at one resource, `/posts/1/-actions/publish`, or at the type, `/posts/-actions/import`. */
export type ActionPlace = 'member' | 'collection'

/** Rules of the members of the request document's `meta`, by name or by a path below one (`tags.*`). */
export type ActionRules = Readonly<Record<string, ISchema<unknown>>>

/** What `input` of an action holds, by its rules. */
export type ActionInput<R extends ActionRules> = {
  readonly [Name in keyof R as Name extends `${string}.${string}` ? never : Name]: InferType<R[Name]>
}

/**
 * What the handler of an action works with.
 *
 * @typeParam M - the action's own model
 * @typeParam On - where the action lies
 * @typeParam R - its rules
 * @typeParam Q - the rules of its query
 */
export interface ActionEvent<
  M extends ModelName,
  On extends ActionPlace,
  R extends ActionRules,
  Q extends ActionRules = Record<never, never>,
> extends Pick<VisibleRows, 'list' | 'count'> {
  /** The signed-in user; null for a guest. */
  readonly user: User | null
  /** The resource's row, as it is inside of the transaction; null for an action on the collection. */
  readonly row: On extends 'member' ? RowOf<M> : null
  /** What was sent in `meta` and has a rule; validated, as documents write it. */
  readonly input: ActionInput<R>
  /**
   * The query parameters that have a rule in `query`, of those that
   * were sent; validated. A number or boolean rule gets one.
   */
  readonly query: ActionInput<Q>
  /** The whole request document as it was sent, not validated; undefined where there was none. */
  readonly document: unknown
  /**
   * Prisma Client inside of the action's transaction: typed where `Register` has `transaction`.
   * It knows no scopes, and its writes run no hooks: `find`, `list`, `count` and `save` do.
   */
  readonly db: TransactionClient
  /**
   * The same client, trusted: row level security lets it read and write all rows of the database, for
   * audits and outboxes. Without row level security it is `db`. The trail names the request's caller.
   */
  asSystem(): TransactionClient
  /** The row of the action's own model with that id, inside of the transaction; null when it is absent or hidden. */
  find(id: string): Promise<RowOf<M> | null>
  /** The row of any model with that id, inside of the transaction; null when it is absent or hidden. */
  find<N extends ModelName>(model: N, id: string | number, options?: VisibleOptions): Promise<RowOf<N> | null>
  /**
   * Changes columns of a row of any model, through the scopes and with the hooks and
   * the version of its endpoints; with null for the row it creates one. Answers with
   * the row as it is then. `preparing` hooks, rules and policies are for requests.
   *
   * @throws {JsonApiError} 404 where the row is hidden, or has gone.
   */
  save<N extends ModelName>(model: N, row: Partial<RowOf<N>> | null, columns: Partial<DataOf<N>>): Promise<RowOf<N>>
  /** The values of the parameters of the server's base path. */
  readonly params: BasePathParams
  /** What the application handed to `createApi({ services })`. */
  readonly services: Services
  /**
   * Does the work once the transaction is committed, and never when it
   * is not. Its failure is logged and changes no answer.
   */
  afterCommit(work: (event: { readonly db: DatabaseClient; readonly services: Services }) => unknown): void
}

/**
 * A row, or as much of it as says which one it is.
 *
 * @internal
 */
export type Named<M extends ModelName> = Partial<RowOf<M>>

/**
 * What a handler returns: a row, rows, `meta(…)` with rows or without, null for
 * `data: null`, or nothing for 204. Of a row it takes as much as says which one it is.
 */
export type ActionAnswer<A extends ModelName, T extends ActionRules = Record<never, never>> =
  | Named<A>
  | readonly Named<A>[]
  | MetaAnswer<Named<A> | readonly Named<A>[] | null | undefined, ToldMeta<T>>
  | null
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing returns nothing
  | void

/**
 * The `meta` that an action answers with, by what it declares; any where it declares nothing.
 *
 * @internal
 */
type ToldMeta<T extends ActionRules> = keyof T extends never ? Meta : ActionInput<T>

/** What `this.action(…)` of a schema class is told. */
export interface ActionOptions<
  M extends ModelName,
  On extends ActionPlace,
  A extends ModelName,
  R extends ActionRules,
  T extends ActionRules = Record<never, never>,
  Q extends ActionRules = Record<never, never>,
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
   * Of an action by GET: rules of query parameters, by name, that answer at once.
   * What they refuse is 400. Stands before `handle`, whose `query` is typed by it.
   */
  readonly query?: Q
  /** Rules that say what the `meta` of its answer holds, such as a secret that is shown once. OpenAPI tells them. */
  readonly meta?: T
  /** What it does, for people: the OpenAPI document says it, and the pages beside its form. */
  readonly description?: string
  /** It takes away what does not come back: agents ask before they carry it out. */
  readonly destructive?: boolean
  /** It will be gone: answers to it say so. */
  readonly deprecated?: Deprecation
  /**
   * Why it cannot be done with the row as it is now; null where it can. Clients get 409 with
   * this text, and pages do not offer it. It reads the row alone, and is asked again inside of the transaction.
   */
  unless?(row: RowOf<M>): Text | null
  /**
   * Does the work, inside of one transaction; what it throws undoes it, and a `JsonApiError` is the answer
   * then. It may run again when the transaction met another one. A row answers with its resource, an array
   * with a collection, `meta(…)` with a meta document, null with `data: null`, nothing at all with 204.
   */
  handle(event: ActionEvent<M, On, R, Q>): ActionAnswer<A, T> | Promise<ActionAnswer<A, T>>
}

/** What `this.action(…)` of a schema class makes. */
export interface DeclaredAction {
  /** In URLs, and for policies. */
  readonly name: string
  /** By default `member`. */
  readonly on?: ActionPlace
  /** By default POST. */
  readonly method?: Action['method']
  /** The model of the rows that it answers with. */
  readonly answers?: string
  /** By default 200. */
  readonly status?: Action['status']
  /** Rules of the members of `meta`. */
  readonly rules?: ActionRules
  /** Rules of query parameters. */
  readonly query?: ActionRules
  /** What the `meta` of its answer holds. */
  readonly meta?: ActionRules
  /** What it does, for people. */
  readonly description?: string
  /** It takes away what does not come back. */
  readonly destructive?: boolean
  /** It will be gone. */
  readonly deprecated?: Deprecation
  /** Why it cannot be done with the row as it is now. */
  unless?(row: object): Text | null
  /** Does the work. */
  handle(event: object): unknown
}

/**
 * A custom action of a type, compiled; frozen.
 *
 * @internal
 */
export interface Action {
  /** In URLs, and for policies. */
  readonly name: string
  readonly on: ActionPlace
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The model of the rows that it answers with. */
  readonly answers: string
  readonly status: 200 | 201 | 202
  readonly rules: ActionRules
  /** Of query parameters, by GET alone. */
  readonly query: ActionRules
  /** What the `meta` of its answer holds; empty where the declaration says nothing of it. */
  readonly meta: ActionRules
  /** What it does, for people; null where the declaration does not say it. */
  readonly description: string | null
  readonly isDestructive: boolean
  /** Null where the schema class does not announce its end. */
  readonly deprecation: Deprecation | null
  /** Why it cannot be done with the row as it is now; null where the declaration does not say it. */
  readonly unless: ((row: Row) => Text | null) | null
  handle(event: object): unknown
}

/**
 * An answer with `meta`, alone or beside rows. Made by `meta`.
 *
 * @typeParam Rows - undefined where there is no primary data
 * @typeParam Members - the members of the document's `meta`
 * @example
 * const answer: MetaAnswer = meta({ drafts: 3 })
 */
export class MetaAnswer<Rows = unknown, Members extends object = object> {
  /** The members of the document's `meta`. */
  readonly meta: Members
  /** What is answered beside it; undefined for nothing. */
  readonly rows: Rows

  /** `meta(members)` does it. */
  constructor(members: Members, rows: Rows) {
    this.meta = members
    this.rows = rows
  }
}

/**
 * Answers a custom action with a document that has `meta`: nothing else, or a row or rows beside it.
 *
 * @see https://jsonapi.org/format/#document-meta
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override actions() {
 *     return [
 *       this.action('statistics', {
 *         on: 'collection',
 *         method: 'GET',
 *         handle: async ({ db }) => meta({ drafts: await db.post.count({ where: { publishedAt: null } }) }),
 *       }),
 *     ]
 *   }
 * }
 */
export const meta = <const Members extends object, Rows = undefined>(
  members: Members,
  rows?: Rows,
): MetaAnswer<Rows, Members> => new MetaAnswer(members, rows as Rows)

/** What a handler returned. */
export type HandlerResult = Row | readonly Row[] | MetaAnswer | null | undefined

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const isMethod = (method: string): boolean => (methods as readonly string[]).includes(method)

/** @throws {Error} for what cannot be an action, naming it and the cure. */
export function compileActions(
  model: string,
  declared: readonly DeclaredAction[],
  isServed: (model: string) => boolean,
): ReadonlyMap<string, Action> {
  const actions = new Map<string, Action>()
  for (const each of declared) {
    const { name, on = 'member', method = 'POST', answers = model, status = 200, rules = {}, meta: told = {} } = each
    const fault = (text: string) => new Error(`action('${name}') of ${model}: ${text}`)
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      throw fault('its name is a part of URLs and of policies. Use letters and digits, beginning with a small letter.')
    // What is written in JavaScript has no types to say so.
    if (on !== 'member' && on !== 'collection')
      throw fault(
        `on: '${on}' is no place of an action. Use on: 'collection' (/<type>/-actions/${name}) or on: 'member'.`,
      )
    if (!isMethod(method))
      throw fault(`method: '${method}' is none that actions have. Use one of ${methods.join(', ')}.`)
    if (actions.has(name)) throw fault('there are two of that name. Give one of them another name.')
    if (!isServed(answers)) throw fault(`${answers} is not served. Answer with rows of a model that is.`)
    if (method === 'GET' && Object.keys(rules).length > 0)
      throw fault('a GET request has no document, so there is nothing for its rules. Remove them, or choose POST.')
    const { description = null, destructive: isDestructive = false, query = {}, unless = null, handle } = each
    if (on === 'collection' && unless) throw fault("unless is about one row. Remove it, or choose on: 'member'.")
    if (method !== 'GET' && Object.keys(query).length > 0)
      throw fault('query is for actions by GET. Say in rules what the document holds, or choose GET.')
    const deprecation = checkDeprecation(`action('${name}') of ${model}: deprecated`, each.deprecated)
    const said = { description, isDestructive, deprecation }
    const action = { name, on, method, answers, status, rules, query, ...said, meta: told, unless, handle }
    actions.set(name, Object.freeze(action))
  }
  return actions
}
