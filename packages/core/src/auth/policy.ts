import {
  type ColumnOf,
  type ModelName,
  type PolicyMethodsOf,
  type RelationOf,
  type Services,
  type User,
  unknownServices,
  type WhereOf,
} from '@prismapi/jsonapi/model/register'
import { dashed } from '@prismapi/jsonapi/schema/naming'
import type { ActionGroup, FieldAction, RowAction, RowGroup, TypeAction } from './actions.ts'

/** @internal */
type OneOrMore<T> = T | readonly T[]

/**
 * A field that a rule is about: the name of a column, of a relation, or, from `Extra`, the name in documents. The id is
 * not one: it is always seen.
 */
export type FieldOf<M extends ModelName, Extra extends string = never> = ColumnOf<M> | RelationOf<M> | Extra

/**
 * Declares rules: for all rows, or only for rows that meet a condition; about all fields, or about some.
 *
 * @typeParam M - the model of the policy
 * @typeParam Extra - relations, custom actions and fields that only a schema class declares
 * @typeParam Answer - what may be said of the rule
 */
export interface Declare<M extends ModelName, Extra extends string, Answer> {
  /** For every row, and for the type as a whole. */
  (actions: OneOrMore<TypeAction | RowAction<M, Extra> | ActionGroup>): Answer
  /**
   * For rows that meet a condition, a Prisma `where`. For `view`, `create` and `update`, also about some fields only:
   * who sees them, who sends them with a new row, who changes them.
   */
  <A extends RowAction<M, Extra> | RowGroup | FieldAction, const What>(
    actions: OneOrMore<A>,
    about: AboutOf<A, What, M, Extra>,
  ): Answer
  /** Only some fields, of rows that meet the condition. */
  (actions: OneOrMore<Exclude<FieldAction, 'create'>>, fields: OneOrMore<FieldOf<M, Extra>>, where: WhereOf<M>): Answer
}

/**
 * What a rule for the actions `A` may be about, chosen by what it gets: with a union, TypeScript would compare a
 * condition with the lists of fields.
 *
 * @internal
 */
export type AboutOf<A, What, M extends ModelName, Extra extends string> = What extends string | readonly unknown[]
  ? [A] extends [FieldAction]
    ? FieldsOf<What, FieldOf<M, Extra>>
    : 'only view, create and update are about fields'
  : 'create' extends A
    ? 'create is about no row that could meet a condition'
    : WhereOf<M>

/** @internal */
type FieldsOf<What, Field> = What extends OneOrMore<Field> ? What : What extends string ? Field : readonly Field[]

/** A `cannot` whose denial may be explained. */
export interface Prohibition {
  /** The `detail` of the 403 when this rule is the one that denies. */
  because(message: string): void
}

/**
 * How a policy declares its rules. A later rule wins over an earlier one, so a `cannot` stands after the `can` that it
 * restricts. A condition is a Prisma `where` of the model and means what the database makes of it: a null is neither
 * equal nor unequal to a value. If a null leaves the condition of a `cannot` undecided, the `cannot` forbids.
 *
 * Fields may stand between the actions and the condition: then the rule is about these fields alone. A rule without
 * fields is about all of them. A field that the caller may not see is missing from the row everywhere, and filters and
 * sorts take it for null.
 *
 * @example
 * export default class UserPolicy extends Policy<'User'> {
 *   override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
 *     can('view')
 *     cannot('view', 'email')
 *     if (user) can('view', 'email', { id: user.id })
 *   }
 * }
 */
export interface Rules<M extends ModelName = ModelName, Extra extends string = never> {
  /** Allows. */
  readonly can: Declare<M, Extra, void>
  /** Denies what was allowed before it. */
  readonly cannot: Declare<M, Extra, Prohibition>
}

/**
 * What every policy has beside the methods of its model's actions.
 *
 * @example
 * export default class TagPolicy extends Policy<'Tag'> {
 *   override abilities({ can }: Rules<'Tag'>) {
 *     can(this.reads)
 *   }
 * }
 */
export abstract class PolicyBase<M extends ModelName, Extra extends string> {
  /** `viewAny`, `view` and `view<Relation>` of every relation that the server's schema has. */
  protected readonly reads: '*reads' = '*reads'
  /** `view` and every `view<Relation>`. */
  protected readonly rowReads: '*rowReads' = '*rowReads'
  /** `update`, `delete` and every `update<Relation>`, `attach<Relation>` and `detach<Relation>`. */
  protected readonly writes: '*writes' = '*writes'

  /** What the application handed to `createApi({ services })`. */
  protected readonly services: Services

  /** Made by the framework, once; a class of the application needs no constructor. */
  constructor(services: Services = unknownServices) {
    this.services = services
  }

  /**
   * Declares what a user, or a guest (null), may do. Called at most once per request, when it is first needed; not
   * async: rules that come later would be missing.
   */
  abilities(_rules: Rules<M, Extra>, _user: User | null): void {}
}

/**
 * Who may do what with the rows of one model (docs/specification.md#authorization). It is the default export of
 * `policies/<model>.policy.ts`, for every server, or of `policies/<server>/<model>.policy.ts`, which replaces that one
 * on one server. A method that is named for an action decides alone; without one, the rules of `abilities` decide; what
 * neither names is denied. Actions are `viewAny`, `create`, `view`, `update`, `delete` and, for each relation,
 * `view<Relation>`, `update<Relation>`, `attach<Relation>`, `detach<Relation>`.
 *
 * A policy has no state of its own: one instance answers all requests. If a method throws, nothing is written, and the
 * response is 500, or that of the `JsonApiError` that it throws. A method that is no action of the model is an error at
 * startup; with `override`, as TypeScript's `noImplicitOverride` asks, it does not even compile. `Extra` names
 * relations and custom actions that only a schema class declares.
 *
 * @example
 * export default class PostPolicy extends Policy<'Post'> {
 *   override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
 *     can(this.reads)
 *     if (user) can(['update', 'delete'], { authorId: user.id })
 *     cannot('delete', { comments: { some: {} } }).because('A post with comments stays.')
 *   }
 *
 *   override create(user: User | null) {
 *     return user !== null || deny('Sign in to write.')
 *   }
 * }
 */
export type Policy<M extends ModelName = ModelName, Extra extends string = never> = PolicyBase<M, Extra> &
  PolicyMethodsOf<M>

/** @internal */
type PolicyConstructor = (abstract new (
  services?: Services,
) => PolicyBase<ModelName, never>) &
  (abstract new <M extends ModelName, Extra extends string = never>(
    services?: Services,
  ) => Policy<M, Extra>)

/** The class that policies extend; the type of the same name says more. */
// A class cannot declare that it has the methods of a type parameter; its constructor's type can.
export const Policy = PolicyBase as unknown as PolicyConstructor

/**
 * What stands behind a rule's actions: fields, a condition, or both.
 *
 * @internal
 */
export type About = readonly [
  fieldsOrWhere?: string | readonly string[] | object | undefined,
  where?: object | undefined,
]

/**
 * Rules as the framework hands them to any policy.
 *
 * @internal
 */
export interface AnyRules {
  readonly can: (actions: string | readonly string[], ...about: About) => void
  readonly cannot: (actions: string | readonly string[], ...about: About) => Prohibition
}

/**
 * A policy of any model, as a server holds it.
 *
 * @internal
 */
export interface AnyPolicy {
  abilities(rules: AnyRules, user: unknown): void
}

/** The class of a policy, of whatever model. */
export type PolicyClass = new (services?: Services) => AnyPolicy

/**
 * Makes the policies of classes, once.
 *
 * @param files where the classes lie, of those that only some servers have
 */
export function makePolicies(
  classes: ReadonlyMap<string, PolicyClass>,
  services?: Services,
  files?: ReadonlyMap<object, string>,
): ReadonlyMap<string, AnyPolicy> {
  return new Map([...classes].map(([model, Class]) => [model, placed(new Class(services), files?.get(Class))]))
}

/** Where the policy of a model lies: what messages point at. */
export const policyFile = (model: string, policy?: AnyPolicy | null): string =>
  placeOf(policy) ?? `policies/${dashed(model)}.policy.ts`

/** How tools call a policy: `Post`, by its model; `public/Post`, with its folder, where only some servers have it. */
export function policyName(model: string, policy: AnyPolicy): string {
  const [, folder] = /^policies[\\/](.+)[\\/]/.exec(placeOf(policy) ?? '') ?? []
  return folder === undefined ? model : `${folder}/${model}`
}

const place = Symbol('file')

const placed = (policy: AnyPolicy, file: string | undefined): AnyPolicy =>
  file === undefined ? policy : Object.defineProperty(policy, place, { value: file })

const placeOf = (policy: AnyPolicy | null | undefined): string | undefined =>
  policy ? (Reflect.get(policy, place) as string | undefined) : undefined

type Method = (...args: readonly unknown[]) => unknown

/** The policy's own method for an action. */
export function policyMethod(policy: AnyPolicy, action: string): Method | null {
  const member: unknown = Reflect.get(policy, action)
  return typeof member === 'function' ? (member as Method) : null
}

/** The names of all methods that a policy class and its own base classes declare, `abilities` among them. */
export function methodNames(policy: AnyPolicy): readonly string[] {
  const names = new Set<string>()
  for (let owner: object = policy; owner !== PolicyBase.prototype && owner !== Object.prototype; ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof value === 'function' && name !== 'constructor') names.add(name)
    }
    owner = Object.getPrototypeOf(owner)
  }
  return [...names]
}
