import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { PageParams, PageRequest } from '../pagination/paginator.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'

/** `page` where it means nothing. */
export const pageNotAllowed = () => badParameter('page', say`Parameter page is not allowed.`)

/**
 * The page that is asked for, or else the schema's default; null for all of the collection.
 *
 * @throws JsonApiError 400, `source.parameter` being `page` where the type has no pages, and else the exact key.
 */
export function checkPage(
  sent: PageParams | null,
  schema: ResourceSchema,
  relation: Relation | null,
): PageRequest | null {
  const { paginator, perPage, maxPageSize } = schema
  if (!paginator) {
    if (sent) throw pageNotAllowed()
    return null
  }
  const params = sent ?? (paginatesByDefault(relation) ? schema.defaultPage : null)
  return params && paginator.parse(params, { perPage, maxPageSize })
}

const paginatesByDefault = (relation: Relation | null): boolean =>
  !relation || !isToMany(relation) || relation.defaultPagination

/**
 * The page parameters of a query string, and all the rest, with their names in their places; null where there are none, or a
 * name is spelt so that only decoding tells what it is.
 */
export function pageApart(search: string): { readonly page: string; readonly rest: string } | null {
  const pieces = search.replace(/^\?/, '').split('&')
  const names = pieces.map(nameOf)
  if (names.some(isEncoded) || !names.some(isOfPage)) return null
  return {
    page: pieces.filter(isOfPage).join('&'),
    rest: pieces.map((piece, i) => (isOfPage(piece) ? names[i] : piece)).join('&'),
  }
}

const nameOf = (piece: string): string => piece.split('=', 1)[0] as string
const isOfPage = (piece: string): boolean => /^page(?:\[|%5[bB])/.test(piece)
/** Brackets may be encoded, for many clients do that. */
const isEncoded = (name: string): boolean => /[%+]/.test(name.replaceAll(/%5[bd]/gi, ''))
