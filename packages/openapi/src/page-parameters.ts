import { JsonApiError } from '@prismapi/jsonapi/document/error'
import type { PageLimits, PageParams, Paginator } from '@prismapi/jsonapi/pagination/paginator'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import type { Part } from './described.ts'
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
