import { find } from '@prismapi/core/read/find'
import { markHiddenFields, toResource } from '@prismapi/core/read/resource'
import type { PageRequest } from './data/page-request.ts'
import { createAnchor } from './forms/create-link.ts'
import { targetLinks } from './forms/creation.ts'
import { formsAgain } from './forms/refused-write.ts'
import { relationshipForms, resourceForms, type ShownForms } from './forms/write-forms.ts'
import type { Content } from './html/html.ts'
import { createdResource } from './resource/created.ts'
import { permissionsHtml } from './resource/permissions.ts'

interface PageForms extends ShownForms {
  /** What the caller may do. */
  readonly permitted: Content
}

const none: PageForms = { written: null, lost: null, permitted: null }

/** How the resource, or the relationship, can be changed that the page shows. */
export async function pageForms(browsed: PageRequest): Promise<PageForms> {
  const { caller, operation, path, document, etag } = browsed
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!caller || !schema) return none
  if (operation.kind !== 'view' && operation.kind !== 'viewRelationship') return none
  const row = await find(caller.ctx, operation.schema, operation.id)
  if (!row) return none
  const resource = toResource(operation.schema, row)
  await markHiddenFields(caller.ctx, [resource])
  const shown = { path, row, etag, hidden: resource.hidden ?? null, again: formsAgain(browsed) }
  const writer = { ...caller, seal: browsed.seal }
  if (!('relation' in operation))
    return {
      ...(await resourceForms(writer, { ...operation, schema }, shown)),
      permitted: await permissionsHtml(caller.ctx, resource, path),
    }
  const relation = schema.relations.get(operation.relation.name)
  const linkage = { ...shown, isSet: document.data !== null, held: linkedIds(browsed), made: createdResource(browsed) }
  if (!relation) return none
  const { written, lost } = await relationshipForms(writer, { ...operation, schema, relation }, linkage)
  return { ...none, lost, written: written && [written, (await targetLinks(browsed, relation)).map(createAnchor)] }
}

// Filters and pages leave some out, and of what an application reads in the URL nothing is known.
const leavesAll = /^(?:include|sort|withCount|fields\[[^\]]*\])$/

/** The ids of all that a to-many relationship holds; null where the page may not show all of them. */
function linkedIds({ search, document: { data, links } }: Pick<PageRequest, 'search' | 'document'>) {
  const isWhole =
    !links?.next && !links?.prev && [...new URLSearchParams(search).keys()].every((key) => leavesAll.test(key))
  return isWhole && Array.isArray(data) ? data.map(({ id }): string => id) : null
}
