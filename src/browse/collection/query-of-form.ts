// The forms that ask are plain GET forms, which cannot write the lists of JSON:API. What they send is made into the URL that
// a client would ask for, and the browser is sent there: the address of a page is always one of the API.

import { formMark } from '../data/page-request.ts'
import { applyFilter } from '../filters/applied.ts'

/**
 * The query that a form asks for; null where it was sent by none. What begins with `-` is the form's: `-include`, `-sort`,
 * `-withCount` and `-fields.<type>` come once for each value, `-of` names the types whose fields were chosen from, and
 * `-field`, `-operator`, `-value`, `-join` and `-apart` are a filter. All others are parameters already; empty ones are left out.
 */
export function queryOfForm(search: string): string | null {
  const sent = new URLSearchParams(search)
  if (!sent.has(formMark)) return null
  const query = new URLSearchParams()
  for (const [name, value] of sent) if (!name.startsWith('-') && value !== '') query.append(name, value)
  for (const name of ['include', 'sort', 'withCount']) {
    const values = sent.getAll(`-${name}`).filter((value) => value !== '')
    if (values.length > 0) query.set(name, values.join(','))
  }
  for (const chosen of sent.getAll('-of')) {
    const [type = '', count] = chosen.split(' ')
    const names = sent.getAll(`-fields.${type}`)
    if (names.length !== Number(count)) query.set(`fields[${type}]`, names.join(','))
  }
  applyFilter(sent, query)
  return query.size === 0 ? '' : `?${query}`
}
