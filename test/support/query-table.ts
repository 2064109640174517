import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readCondition } from '@prismapi/jsonapi/condition/parse'
import { prismaWhere } from '@prismapi/jsonapi/condition/prisma'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import { AnyNull } from '@prismapi/jsonapi/model/prisma-values'
import type { Where } from '@prismapi/jsonapi/model/where'
import { checkFilter } from '@prismapi/jsonapi/query/filter'
import { operatorsOf } from '@prismapi/jsonapi/query/filter-operators'
import { relationOperators } from '@prismapi/jsonapi/query/filter-path'
import { parseQuery } from '@prismapi/jsonapi/query/parse'
import { compileRegistry } from '@prismapi/jsonapi/schema/registry'
import type { SchemaRegistry } from '@prismapi/jsonapi/schema/resource-schema'
import { type AnySchema, Schema } from '@prismapi/jsonapi/schema/schema'
import { columnOf, modelOf } from '../../packages/jsonapi/test/schema/meta.ts'
import { resources as ofExample } from '../../prisma/generated/resources.ts'
import { checkContext } from './query-context.ts'
import { theExample } from './servers.ts'

// The tables of docs/queries.md: URLs, and what becomes of them.

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/queries.md'), 'utf8')

export interface Documented {
  /** `/posts?filter[slug]=one` */
  readonly url: string
  /** Prisma's where, as the page writes it. */
  readonly written: string
}

/** The rows of every table with URLs on the left and conditions on the right. */
export const documented: readonly Documented[] = [...page.matchAll(/^\| `(\/[^`]+)` \| `(\{[^`]+\})` \|$/gm)].map(
  ([, url = '', written = '']) => ({ url, written }),
)

const whereOf = ({ written }: Documented): Where => new Function('AnyNull', `return (${written})`)(AnyNull)

/** The model that the page shows for what the example has none of, as the generator would describe it. */
function productModel(): Resources {
  const [, body = ''] = /^model Product \{\n([\s\S]*?)^\}/m.exec(page) ?? []
  const columns = [...body.matchAll(/^ +(\w+) +(\w+)(\[\]|\?)?/gm)].map(([, name = '', type = '', suffix]) =>
    columnOf(name, type, { isList: suffix === '[]', isNullable: suffix === '?' }),
  )
  return { provider: 'postgresql', enums: {}, models: { Product: modelOf('Product', { columns }) } }
}

class Products extends Schema {
  override fields() {
    return [this.attribute('details').filterableByPath()]
  }
}

const registryOf = (resources: Resources, schemas: ReadonlyMap<string, AnySchema>): SchemaRegistry =>
  compileRegistry({ resources, schemas, only: null, maxPageSize: 1000 }).registry

async function registries(): Promise<readonly (readonly [Resources, SchemaRegistry])[]> {
  const { servers } = await theExample()
  const v1 = servers.find(({ server }) => new server().name === 'v1')
  const schemas = [...(v1?.schemas ?? [])].map(([model, Class]) => [model, new Class()] as const)
  const products = productModel()
  return [
    [ofExample, registryOf(ofExample, new Map(schemas))],
    [products, registryOf(products, new Map([['Product', new Products() as unknown as AnySchema]]))],
  ]
}

/** What the real parser makes of a URL, and what the page says. */
export async function conditionsFor(row: Documented): Promise<{ readonly parsed: unknown; readonly meant: unknown }> {
  const [, type = '', search = ''] = /^\/(\w+)\?(.*)$/.exec(row.url) ?? []
  for (const [resources, registry] of await registries()) {
    const schema = registry.byType.get(type)
    if (!schema) continue
    const check = { ...checkContext({ registry, provider: resources.provider }), resources }
    const { condition } = checkFilter(parseQuery({ search }, check.limits).filter, schema, check)
    const { model } = schema
    return {
      parsed: condition && prismaWhere(condition, model),
      meant: prismaWhere(readCondition(whereOf(row), model, resources.models), model),
    }
  }
  throw new Error(`Nobody serves ${type}.`)
}

/** What an attribute or a relation of either can be asked for. */
export async function knownOperators(): Promise<ReadonlySet<string>> {
  const schemas = (await registries()).flatMap(([, registry]) => [...registry.byType.values()])
  const attributes = schemas.flatMap((schema) => [...schema.attributes.values()])
  return new Set([...attributes.flatMap((attribute) => operatorsOf(attribute, 'postgresql')), ...relationOperators])
}
