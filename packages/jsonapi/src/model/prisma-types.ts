import type * as Client from '@prisma/client/runtime/client'

// The classes of Prisma's values as the generated client has them: of
// two copies of one, TypeScript would not take one for the other.

/**
 * The value of a `Decimal` column, as it is read.
 *
 * @public
 */
export type Decimal = Client.Decimal
/** A decimal of any library that is like decimal.js. */
export type DecimalLike = Client.DecimalJsLike
/** `Prisma.AnyNull`: a Json column has no value, or JSON's null. */
export type AnyNull = Client.AnyNullClass
/** `Prisma.DbNull`: a Json column has no value. */
export type DbNull = Client.DbNullClass
/** `Prisma.JsonNull`: JSON's own null is the value. */
export type JsonNull = Client.JsonNullClass
