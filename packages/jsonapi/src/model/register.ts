import type { Row, Where } from './where.ts'

/**
 * What the application tells the types, once, by module augmentation: `prisma/generated/resources.ts` adds `models`,
 * the application adds its user.
 *
 * @example
 * interface AuthUser {
 *   readonly id: number
 *   readonly name: string
 *   readonly email: string
 *   readonly role: 'MEMBER' | 'EDITOR' | 'ADMIN'
 * }
 *
 * declare module 'prismapi' {
 *   interface Register {
 *     user: AuthUser
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be augmented
export interface Register {}

/** The shape of one model's entry in the generated `Models`. */
export interface ModelTypes {
  /** A row: its columns. */
  row: Row
  /** A condition on rows, in Prisma's `where` vocabulary. */
  where: Where
  /** What a row can be created from: scalars and foreign keys. */
  data: Row
  /** Names of scalar columns. */
  column: string
  /** Names of the columns that documents show as attributes, unless a schema class says otherwise. */
  attribute: string
  /** Names of all relations. */
  relation: string
  /** Those to one, each with the name of its model. */
  toOne: Readonly<Record<string, string>>
  /** Those to many, each with the name of its model. */
  toMany: Readonly<Record<string, string>>
  /** The methods that a policy of the model may have. */
  policy: object
}

/** The models of the application's Prisma schema. */
export type Models = Register extends { models: infer M } ? M : Record<string, ModelTypes>

/** The name of a Prisma model, as in `schema.prisma`. */
export type ModelName = keyof Models & string

/** @internal */
type Entry<M extends ModelName, Part extends keyof ModelTypes> = Models[M] extends { [key in Part]: infer T }
  ? T
  : never

/** A row of the model: its columns, with the values that Prisma Client reads. */
export type RowOf<M extends ModelName> = Entry<M, 'row'>
/** A condition on rows of the model, in Prisma's `where` vocabulary. Prisma Client takes it, too. */
export type WhereOf<M extends ModelName> = Entry<M, 'where'>
/** What a row of the model can be created from. */
export type DataOf<M extends ModelName> = Entry<M, 'data'>
/** The names of the model's scalar columns. */
export type ColumnOf<M extends ModelName> = Entry<M, 'column'> & string
/** The names of the model's attributes, as the Prisma schema has them. */
export type AttributeOf<M extends ModelName> = Entry<M, 'attribute'> & string
/** The names of the model's relations. */
export type RelationOf<M extends ModelName> = Entry<M, 'relation'> & string
/** The names of the model's relations to one. */
export type ToOneOf<M extends ModelName> = keyof Entry<M, 'toOne'> & string
/** The names of the model's relations to many. */
export type ToManyOf<M extends ModelName> = keyof Entry<M, 'toMany'> & string
/** The model that a relation of the model leads to. */
export type TargetOf<M extends ModelName, Name extends string> = (Entry<M, 'toOne'> & Entry<M, 'toMany'>)[Name &
  keyof (Entry<M, 'toOne'> & Entry<M, 'toMany'>)] &
  ModelName
/** A row that a relation of the model leads to. */
export type RelatedRowOf<M extends ModelName, Name extends string> = RowNamed<
  (Entry<M, 'toOne'> & Entry<M, 'toMany'>)[Name & keyof (Entry<M, 'toOne'> & Entry<M, 'toMany'>)]
>
/** @internal */
type RowNamed<Target> = Target extends ModelName ? RowOf<Target> : Row
/**
 * Fields that the schema class of a model adds to those of the Prisma schema,
 * as the application registered them, for `api.as`.
 *
 * @example
 * declare module 'prismapi' {
 *   interface Register {
 *     fields: { User: { password: string } }
 *     filters: { Post: { popular: boolean } }
 *   }
 * }
 */
export type OwnFieldsOf<M extends ModelName> = Register extends { fields: infer F } ? OwnOf<F, M> : Record<never, never>
/** The same of filters. */
export type OwnFiltersOf<M extends ModelName> = Register extends { filters: infer F }
  ? OwnOf<F, M>
  : Record<never, never>
/** @internal */
type OwnOf<Of, M> = M extends keyof Of ? Of[M] : Record<never, never>
/** The methods that a policy of the model may have, one for each action. */
export type PolicyMethodsOf<M extends ModelName> = Entry<M, 'policy'>

/** Prisma Client inside of a transaction. */
export type TransactionClient = Register extends { transaction: infer T } ? T : unknown

/**
 * Prisma Client outside of any transaction. The client of a transaction
 * is none: what takes this one cannot be handed that one by mistake.
 */
export type DatabaseClient = Register extends { client: infer C } ? C : unknown

/**
 * What the application hands to `createApi({ services })`, as it registered it: a mailer,
 * a queue, settings. Hooks, actions, policies, request, schema and server classes get it.
 * Until it is registered, as `services` of `Register`, nothing is known of it.
 */
export type Services = Register extends { services: infer S } ? S : Readonly<Record<string, unknown>>

/**
 * The parameters of base paths, by name: texts, decoded. `Register` names those that there are;
 * without it, each may be there or not.
 *
 * @example
 * declare module 'prismapi' {
 *   interface Register {
 *     params: { organization: string }
 *   }
 * }
 */
export type BasePathParams = Register extends { params: infer P } ? P : Readonly<Record<string, string>>

/** The signed-in user, as the application registered it: what `authenticate` returned. */
export type User = Register extends { user: infer U } ? U : Row

/** What classes have where a tool reads them, without the application: nothing of it is known. */
export const unknownServices: Services = new Proxy(Object.freeze({}), {
  get(_, name) {
    if (typeof name === 'symbol') return undefined
    throw new NotKnown(
      `services.${name} has no answer here: a tool reads this class, without createApi({ services }). Ask for it in a method that a request calls.`,
    )
  },
}) as Services

/** A class of the application asked for what is not known where it asked. */
export class NotKnown extends Error {
  override readonly name = 'NotKnown'
}
