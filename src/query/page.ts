import { badParameter } from '../document/errors.ts'
import type { PageParams, PageRequest } from '../pagination/paginator.ts'
import { isToMany, type Relation } from '../schema/relation-kinds.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'

/** `page` where it means nothing. */
export const pageNotAllowed = () => badParameter('page', 'Parameter page is not allowed.')

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
