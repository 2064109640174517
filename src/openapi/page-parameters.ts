import { JsonApiError } from '../document/error.ts'
import type { PageLimits, PageParams, Paginator } from '../pagination/paginator.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { Shared } from './compact.ts'
import { type Part, schemaRef } from './described.ts'
import type { ParameterParts } from './parameter.ts'

/** The members of `page` that the type's paginator has. */
export function pageParameters({ type, paginator, perPage, maxPageSize }: ResourceSchema): ParameterParts {
  if (!paginator) return {}
  const takes = (key: string, value: string) => isTaken(paginator, { [key]: value }, { perPage, maxPageSize })
  const entries = paginator.keys.map((key) => {
    const schema = keySchema((value) => takes(key, value), maxPageSize)
    const description = 'maximum' in schema ? 'How many resources a page has at most.' : (places[key] ?? anyPlace)
    const parameter = { name: `page[${key}]`, in: 'query', description, schema }
    return [`page.${type}.${key}`, parameter] as const
  })
  return Object.fromEntries(entries)
}

const places: Readonly<Record<string, string>> = {
  number: 'Which page; 1 is the first.',
  after: 'The page begins after this place. The links of another page have such values.',
  before: 'The page ends before this place. The links of another page have such values.',
}

/** Of a paginator of the application. */
const anyPlace = 'Which page. The links of another page have such values.'

/** The same as one parameter. Most types have the same members, which the document says once. */
export function pageFamily(schema: ResourceSchema, { schemas }: Shared): ParameterParts {
  const members = Object.entries(pageParameters(schema))
  if (members.length === 0) return {}
  const start = `page.${schema.type}.`
  const properties = Object.fromEntries(
    members.map(([name, part]) => {
      const member = { ...(part.schema as Part), description: part.description }
      return [name.slice(start.length), schemaRef(schemas.nameOf(member))]
    }),
  )
  return {
    [`page.${schema.type}`]: {
      name: 'page',
      in: 'query',
      description: 'Which page of the collection, and how long it is.',
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
