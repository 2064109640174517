import type { Identifier } from '../../document/types.ts'
import { createdMark, type PageRequest } from './page-request.ts'

/** What was created just now, and its reader came back from. */
export function createdResource({ own }: Pick<PageRequest, 'own'>): Identifier | null {
  const [type = '', ...rest] = (own.get(createdMark) ?? '').split('/')
  return rest.length === 0 ? null : { type, id: rest.join('/') }
}
