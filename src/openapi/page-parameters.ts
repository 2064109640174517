import { JsonApiError } from '../document/error.ts'
import type { PageLimits, PageParams, Paginator } from '../pagination/paginator.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Part } from './described.ts'
import type { ParameterParts } from './parameter.ts'

/** The members of `page` that the type's paginator has. */
export function pageParameters({ type, paginator, perPage, maxPageSize }: ResourceSchema): ParameterParts {
  if (!paginator) return {}
  const takes = (key: string, value: string) => isTaken(paginator, { [key]: value }, { perPage, maxPageSize })
  const entries = paginator.keys.map((key) => {
    const schema = keySchema((value) => takes(key, value), maxPageSize)
    const description = 'maximum' in schema ? 'How many resources a page has at most.' : places[key]
    const parameter = { name: `page[${key}]`, in: 'query', ...(description && { description }), schema }
    return [`page.${type}.${key}`, parameter] as const
  })
  return Object.fromEntries(entries)
}

const places: Readonly<Record<string, string>> = {
  number: 'Which page; 1 is the first.',
  after: 'Where the page begins: behind what this names. Links of pages have it.',
  before: 'Where the page ends: in front of what this names. Links of pages have it.',
}

/** The same as one parameter. */
export function pageFamily(schema: ResourceSchema): ParameterParts {
  const members = Object.entries(pageParameters(schema))
  if (members.length === 0) return {}
  const start = `page.${schema.type}.`
  const properties = Object.fromEntries(members.map(([name, part]) => [name.slice(start.length), part.schema]))
  return {
    [`page.${schema.type}`]: {
      name: 'page',
      in: 'query',
      style: 'deepObject',
      explode: true,
      schema: { type: 'object', properties },
    },
  }
}

// A paginator, which may be the application's, says what its keys take by taking it.
function keySchema(takes: (value: string) => boolean, maxPageSize: number): Part {
  if (takes('x') || !takes('1')) return { type: 'string' }
  const isSize = takes(String(maxPageSize)) && !takes(String(maxPageSize + 1))
  return { type: 'integer', minimum: 1, ...(isSize && { maximum: maxPageSize }) }
}

function isTaken(paginator: Paginator, params: PageParams, limits: PageLimits): boolean {
  try {
    paginator.parse(params, limits)
    return true
  } catch (error) {
    if (error instanceof JsonApiError) return false
    throw error
  }
}
