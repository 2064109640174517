import type { Row, Where } from './where.ts'

/**
 * What the application tells the types, once, by module augmentation: `prisma/generated/resources.ts` adds `models`,
 * the application adds its user.
 *
 * @example
 * declare module 'prismapi' {
 *   interface Register { user: AuthUser }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be augmented
export interface Register {}

/** The shape of one model's entry in the generated `Models`. */
export interface ModelTypes {
  /** The row as Prisma Client types it. */
  row: Row
  where: Where
  /** What a row can be created from: scalars and foreign keys. */
  data: Row
  /** Names of scalar columns. */
  column: string
  /** Names of all relations, and of those to one and to many. */
  relation: string
  toOne: string
  toMany: string
  /** The methods that a policy of the model may have. */
  policy: object
}

/** The models of the application's Prisma schema. */
export type Models = Register extends { models: infer M } ? M : Record<string, ModelTypes>

/** The name of a Prisma model, as in `schema.prisma`. */
export type ModelName = keyof Models & string

type Entry<M extends ModelName, Part extends keyof ModelTypes> = Models[M] extends { [key in Part]: infer T }
  ? T
  : never

/** A row of the model, as Prisma Client types it. */
export type RowOf<M extends ModelName> = Entry<M, 'row'>
/** A Prisma `where` of the model. */
export type WhereOf<M extends ModelName> = Entry<M, 'where'>
/** What a row of the model can be created from. */
export type DataOf<M extends ModelName> = Entry<M, 'data'>
export type ColumnOf<M extends ModelName> = Entry<M, 'column'> & string
export type RelationOf<M extends ModelName> = Entry<M, 'relation'> & string
export type ToOneOf<M extends ModelName> = Entry<M, 'toOne'> & string
export type ToManyOf<M extends ModelName> = Entry<M, 'toMany'> & string
export type PolicyMethodsOf<M extends ModelName> = Entry<M, 'policy'>

/** Prisma Client inside of a transaction. */
export type TransactionClient = Register extends { transaction: infer T } ? T : unknown

/** The signed-in user, as the application registered it. */
export type User = Register extends { user: infer U } ? U : Row
