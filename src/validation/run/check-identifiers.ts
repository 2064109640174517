import { JsonApiError } from '../../document/error.ts'
import { relatedNotFound } from '../../document/errors.ts'
import { pointer } from '../../document/pointer.ts'
import type { Linkage } from '../../document/types.ts'
import type { RelatedRows } from '../../read/related-rows.ts'
import { isToMany, type Relation } from '../../schema/relation-kinds.ts'
import { identifiersOf } from '../../write/input/foreign-keys.ts'

export interface SentLinkage {
  readonly linkage: Linkage
  readonly relation: Relation
}

/**
 * Do the resources exist that a document's identifiers name; hidden ones do not. Linkage by the pointer of its
 * relationship, `/data/relationships/tags`, or `/data` where the relationship is the document.
 *
 * @throws {JsonApiError} 404 with an error for each identifier.
 */
export async function checkIdentifiers(
  related: RelatedRows,
  linkages: ReadonlyMap<string, SentLinkage>,
): Promise<void> {
  const sent = [...linkages].flatMap(([base, { linkage, relation }]) =>
    identifiersOf(linkage).map((identifier, i) => ({ identifier, pointer: pointerOf(base, relation, i) })),
  )
  if (sent.length === 0) return
  const rows = await related.findNamed(sent.map(({ identifier }) => identifier))
  const missing = sent.filter((_, i) => !rows[i])
  const error = JsonApiError.all(missing.map((each) => relatedNotFound(each.pointer)))
  if (error) throw error
}

function pointerOf(base: string, relation: Relation, index: number): string {
  if (!isToMany(relation)) return base
  const isRelationship = base.endsWith(pointer('/relationships', relation.name))
  return isRelationship ? pointer(base, 'data', index) : pointer(base, index)
}
