import type { Faker } from '@faker-js/faker'
import type { Awaitable } from '@prismapi/jsonapi/model/awaitable'
import type { DataOf, ModelName, RowOf, ToManyOf, ToOneOf } from '@prismapi/jsonapi/model/register'
import type { Identified } from '../identified.ts'

/**
 * Values of a row as Prisma takes them, including foreign keys. A to-one relation may be given as the row that it leads
 * to, or null; a to-many relation as existing rows.
 */
export type FactoryData<M extends ModelName> = Partial<DataOf<M>> & {
  readonly [R in ToOneOf<M>]?: object | null
} & { readonly [R in ToManyOf<M>]?: readonly object[] }

/** A row of the model that stands for its resource wherever a test names one. */
export type Made<M extends ModelName> = RowOf<M> & Identified

/**
 * Makes rows of one model.
 *
 * @example
 * const { post } = factories(resources, prisma)
 * const [first, second] = await post.createMany(2, (index) => ({ title: `Post ${index}` }))
 */
export interface Factory<M extends ModelName> {
  /**
   * Creates a row: with the given values, those of the model's definition, and a value of its own for each other column
   * that needs one. It also creates the rows that the row needs.
   *
   * @throws {Error} of Prisma where the database refuses the row
   */
  create(data?: FactoryData<M>): Promise<Made<M>>
  /** Several rows, created one after the other; their values may come of their index, from 0 on. */
  createMany(count: number, data?: FactoryData<M> | ((index: number) => FactoryData<M>)): Promise<readonly Made<M>[]>
  /** The values of a row that is not stored, and for which nothing else is: required relations are left out. */
  make(data?: FactoryData<M>): Promise<DataOf<M>>
  /** Lets a row that was read by Prisma stand for its resource, as those do that were created here. */
  identified(row: RowOf<M>): Made<M>
}

/** A factory for each model, by the name that Prisma Client gives it: `factories.blogPost`. */
export type Factories = { readonly [M in ModelName as Uncapitalize<M>]: Factory<M> }

/** What a definition may use. */
export interface Making<M extends ModelName> {
  /** The row's number among those of its model, from 1 on. */
  readonly n: number
  /** Draws the same values for the same seed, model and number. */
  readonly faker: Faker
  /** What the test gave. */
  readonly given: FactoryData<M>
  /** Those of all models, for rows that it needs. */
  readonly factories: Factories
}

/**
 * Values that rows of the model have unless a test gives others.
 *
 * @example
 * const define: Definitions = {
 *   User: ({ n, faker }) => ({ name: faker.person.firstName(), email: `user${n}@example.com` }),
 *   Comment: async ({ given, factories }) => (given.video ? {} : { post: await factories.post.create() }),
 * }
 */
export type Definition<M extends ModelName> = (making: Making<M>) => Awaitable<FactoryData<M>>

/** Definitions by model. */
export type Definitions = { readonly [M in ModelName]?: Definition<M> }
