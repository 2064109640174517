import { JsonApiError } from '../document/error.ts'
import type { Resources } from '../model/meta.ts'
import type { Limits } from '../request/limits.ts'
import type { HookRequest } from '../schema/filters.ts'
import { inFile } from '../schema/registry.ts'
import type { ResourceSchema, SchemaRegistry } from '../schema/resource-schema.ts'
import { checkPage } from './collection.ts'
import { checkInclude, rootOf } from './include.ts'
import type { CheckContext } from './query-context.ts'
import { checkSort } from './sort.ts'

interface Boot {
  readonly registry: SchemaRegistry
  readonly resources: Resources
  readonly limits: Limits
  /** Where the schema class of a model lies, as far as that is known. */
  readonly fileOf?: (model: string) => string | undefined
}

// Declared filters are the only ones to ask who it is, and no default is a filter.
const guest: HookRequest = Object.freeze({ user: null, method: 'GET', url: new URL('http://localhost'), params: {} })

const noFilters = (): never => {
  throw new Error('No default is a filter.')
}

/**
 * Checks at boot what schemas declare in the language of queries, so that no client is told of it.
 *
 * @throws Error naming the schema, what it declares and the cure.
 */
export function checkDefaults(boot: Boot): void {
  const check: CheckContext = {
    ...boot,
    scopes: new Map(),
    seen: () => null,
    masksValues: false,
    readByRule: noFilters,
    trash: new Set(boot.registry.byModel.keys()),
    request: guest,
  }
  for (const schema of boot.registry.byType.values()) {
    inFile(boot.fileOf?.(schema.model.name), () => checkSchema(schema, check))
  }
}

function checkSchema(schema: ResourceSchema, check: CheckContext): void {
  const { type, defaultInclude, defaultSort, singularFilters } = schema
  declared(`${type}: defaultInclude`, () => checkInclude(defaultInclude.join(','), rootOf([schema]), check))
  const { paginator, perPage, maxPageSize, model } = schema
  declared(`${type}: defaultSort`, () => {
    const order = defaultSort === '' ? [] : checkSort(defaultSort, schema, check)
    paginator?.parse({}, { perPage, maxPageSize }).checkOrder?.(order, { model, resources: check.resources })
  })
  declared(`${type}: defaultPagination`, () => checkPage(null, schema, null))
  for (const name of singularFilters) {
    if (!schema.attributes.get(name)?.isFilterable) {
      throw new Error(
        `${type}: singular filter ${name}: no attribute that can be filtered by. Name another, or remove it.`,
      )
    }
  }
}

function declared(what: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error
    throw new Error(`${what}: ${error.message} Declare what a client could ask for, or raise the server's limit.`, {
      cause: error,
    })
  }
}
