import type { PageRequest } from '../data/page-request.ts'
import { shownSchema } from '../data/shown-schema.ts'
import { fromStart, withParameters } from '../html/urls.ts'
import { filterFields } from './fields.ts'

/** For each field that may be empty, the way to those of a collection in which it is. */
export function withoutLinks({
  caller,
  operation,
  path,
  search,
}: Pick<PageRequest, 'caller' | 'operation' | 'path' | 'search'>): ReadonlyMap<string, string> {
  const schema = operation?.kind === 'viewStats' ? null : shownSchema({ caller, operation })
  if (!caller || !schema) return new Map()
  const fields = filterFields(caller.api, schema).filter(({ operators }) => operators.has('isNull:true'))
  return new Map(
    fields.map(({ name }) => [name, path + withParameters(fromStart(search), { [`filter[${name}][isNull]`]: 'true' })]),
  )
}
