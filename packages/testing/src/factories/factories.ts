import type { Faker } from '@faker-js/faker'
import { delegateOf } from '@prismapi/core/database/prisma/client'
import type { Delegates } from '@prismapi/core/database/store'
import type { ColumnMeta, ModelMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { ModelName } from '@prismapi/jsonapi/model/register'
import type { Row } from '@prismapi/jsonapi/model/where'
import { compileId } from '@prismapi/jsonapi/schema/id'
import { inferTypes, lowerFirst } from '@prismapi/jsonapi/schema/naming'
import { type Identified, identified } from '../identified.ts'
import { type Begun, drawColumns, scarceColumn } from './columns.ts'
import type { Definitions, Factories, Factory, FactoryData, Made } from './factory.ts'
import { type FakerOf, fakers } from './faker.ts'
import { checkEnds, foreignKeyOf, missingParents, sharedWith, toGiven } from './relations.ts'

/** What `factories` is told beside the models and the database. */
export interface FactoryOptions {
  /** The same seed makes the same values; 1 by default. */
  readonly seed?: number
  /** Values that rows have unless a test gives others, by model. */
  readonly define?: Definitions
  /** The types of models whose schema class names another one than is inferred: `{ BlogPost: 'articles' }`. */
  readonly types?: { readonly [M in ModelName]?: string }
  /** A faker of another language; English by default. It lends its words only: no value is drawn from it. */
  readonly faker?: Faker
}

/**
 * Factories of rows, from the Prisma schema alone. A column that needs a value gets one that suits its name. A column
 * that may be null or has a default is left alone, except for the times of creation and change, which follow one
 * another by a second from 2025 on. Uniques are unique, and required relations create their rows.
 *
 * @param resources the generated `resources`
 * @param client the Prisma client to write with
 * @throws {Error} when a row is made: where `@faker-js/faker` is not installed, or the data names an unknown field
 *
 * @example
 * const { post, user } = factories(resources, prisma, { seed: 7 })
 * const ann = await user.create({ name: 'Ann' })
 * const [first, second] = await post.createMany(2, { author: ann })
 */
export function factories(resources: Resources, client: object, options: FactoryOptions = {}): Factories {
  const { seed = 1, define = {}, types = {}, faker } = options
  const shown = Object.values(resources.models).filter(({ isHidden }) => !isHidden)
  const inferred = inferTypes(shown.map(({ name }) => name))
  const workshop: Workshop = {
    resources,
    client: client as Delegates,
    fakerOf: fakers(seed, faker),
    define: define as Workshop['define'],
    factoryOf: (model) => all[lowerFirst(model)] as AnyFactory,
    factories: () => all as unknown as Factories,
  }
  const all: Readonly<Record<string, AnyFactory>> = Object.freeze(
    Object.fromEntries(
      Object.values(resources.models).map((model) => {
        const type = types[model.name as ModelName] ?? inferred.get(model.name) ?? model.name
        return [lowerFirst(model.name), factoryOf(model, type, workshop)]
      }),
    ),
  )
  return all as unknown as Factories
}

/** What the factories of one database share. */
interface Workshop {
  readonly resources: Resources
  readonly client: Delegates
  readonly fakerOf: FakerOf
  readonly define: Readonly<Record<string, ((making: object) => unknown) | undefined>>
  factoryOf(model: string): AnyFactory
  factories(): Factories
}

type AnyFactory = Factory<ModelName>
type Data = Row & FactoryData<ModelName>

function factoryOf(model: ModelMeta, type: string, workshop: Workshop): AnyFactory {
  const { resources, client } = workshop
  const { format } = compileId(model, resources, null)
  const show = <T extends Row>(row: T): T & Identified => identified(row, { type, id: format(row) })
  let made = 0

  const create = async (data: Row = {}) => {
    const plan = await planRow(model, { data, n: ++made }, workshop)
    const begun = await withParents(plan.columns, model, workshop)
    try {
      return show(
        await delegateOf(client, model.name).create({ data: { ...plan.draw(begun), ...plan.links } }),
      ) as never
    } catch (error) {
      const scarce = scarceColumn(begun, model)
      throw isDuplicate(error) && scarce ? noneFree(scarce, { model, resources }, error) : error
    }
  }
  return Object.freeze({
    create,
    async createMany(count: number, data: Data | ((index: number) => Data) = {}) {
      const rows: Made<ModelName>[] = []
      for (let i = 0; i < count; i++) rows.push(await create(typeof data === 'function' ? data(i) : data))
      return rows
    },
    async make(data: Row = {}) {
      const { columns, links, draw } = await planRow(model, { data, n: ++made }, workshop)
      return { ...draw({ columns, fresh: [] }), ...links } as never
    },
    identified: (row: Row) => show(row) as never,
  })
}

interface Wish {
  readonly data: Row
  readonly n: number
}

/** What is given and defined, and how the rest is drawn. */
async function planRow(model: ModelMeta, { data, n }: Wish, workshop: Workshop) {
  const { resources, fakerOf } = workshop
  const given = toGiven(data, model, resources)
  const defined = toGiven(await definedFor(model, { data, n }, workshop), model, resources)
  const faker = await fakerOf(model.name, n)
  return {
    columns: { ...defined.columns, ...given.columns },
    links: { ...defined.links, ...given.links },
    draw: (begun: Begun) => drawColumns(begun, { model, resources, faker, n }),
  }
}

async function definedFor({ name }: ModelMeta, { data, n }: Wish, { fakerOf, define, factories }: Workshop) {
  const definition = define[name]
  if (!definition) return {}
  return (await definition({ n, faker: await fakerOf(name, n), given: data, factories: factories() })) as Row
}

// Prisma's code of a unique that has the value already.
const isDuplicate = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'P2002'

interface Known {
  readonly model: ModelMeta
  readonly resources: Resources
}

function noneFree({ name, type, isEnum }: ColumnMeta, { model, resources }: Known, cause: unknown): Error {
  const values = isEnum ? resources.enums[type]?.values : [true, false]
  return new Error(
    `${model.name}.${name}: it is unique, and the values of ${type} are few: ${values?.join(', ')}. Give the row one that is free.`,
    { cause },
  )
}

/** The foreign keys of rows that are created for this one. */
async function withParents(columns: Row, model: ModelMeta, { resources, factoryOf }: Workshop): Promise<Begun> {
  let known = columns
  const fresh: (readonly string[])[] = []
  for (let [relation] = missingParents(known, model); relation; [relation] = missingParents(known, model)) {
    checkEnds(relation, model, resources)
    const parent = await factoryOf(relation.model).create(sharedWith(relation, known) as Data)
    known = { ...known, ...foreignKeyOf(relation, parent as unknown as Row) }
    fresh.push(relation.foreignKey?.columns ?? [])
  }
  return { columns: known, fresh }
}
