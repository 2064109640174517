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
  /** The row as Prisma Client types it. */
  row: Row
  /** A Prisma `where` of the model. */
  where: Where
  /** What a row can be created from: scalars and foreign keys. */
  data: Row
  /** Names of scalar columns. */
  column: string
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

/** A row of the model, as Prisma Client types it. */
export type RowOf<M extends ModelName> = Entry<M, 'row'>
/** A Prisma `where` of the model. */
export type WhereOf<M extends ModelName> = Entry<M, 'where'>
/** What a row of the model can be created from. */
export type DataOf<M extends ModelName> = Entry<M, 'data'>
/** The names of the model's scalar columns. */
export type ColumnOf<M extends ModelName> = Entry<M, 'column'> & string
/** The names of the model's relations. */
export type RelationOf<M extends ModelName> = Entry<M, 'relation'> & string
/** The names of the model's relations to one. */
export type ToOneOf<M extends ModelName> = keyof Entry<M, 'toOne'> & string
/** The names of the model's relations to many. */
export type ToManyOf<M extends ModelName> = keyof Entry<M, 'toMany'> & string
/** A row that a relation of the model leads to. */
export type RelatedRowOf<M extends ModelName, Name extends string> = RowNamed<
  (Entry<M, 'toOne'> & Entry<M, 'toMany'>)[Name & keyof (Entry<M, 'toOne'> & Entry<M, 'toMany'>)]
>
/** @internal */
type RowNamed<Target> = Target extends ModelName ? RowOf<Target> : Row
/** The methods that a policy of the model may have, one for each action. */
export type PolicyMethodsOf<M extends ModelName> = Entry<M, 'policy'>

/** Prisma Client inside of a transaction. */
export type TransactionClient = Register extends { transaction: infer T } ? T : unknown

/**
 * Prisma Client outside of any transaction. The client of a transaction is none: what takes this one cannot be handed that
 * one by mistake.
 */
export type DatabaseClient = Register extends { client: infer C } ? C : unknown

/**
 * What the application hands to `createApi({ services })`, as it registered it: a mailer, a queue, settings. Hooks, actions,
 * policies, request, schema and server classes get it. Until it is registered, as `services` of `Register`, nothing is known of it.
 */
export type Services = Register extends { services: infer S } ? S : Readonly<Record<string, unknown>>

/** The signed-in user, as the application registered it: what `authenticate` returned. */
export type User = Register extends { user: infer U } ? U : Row
