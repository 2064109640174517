import type { Identifier } from '@prismapi/jsonapi/document/types'
import { answerTo } from './answer-to.ts'
import { hasLabel } from './page-data-queries.ts'
import type { Caller, PageRequest, ShownDocument } from './page-request.ts'

/** What resources are called: the documents of those that the caller may list. */
export async function readLabels(
  caller: Caller,
  identifiers: readonly Identifier[],
): Promise<readonly ShownDocument[]> {
  const ids = new Map<string, Set<string>>()
  for (const { type, id } of identifiers) ids.set(type, (ids.get(type) ?? new Set()).add(id))
  return (await Promise.all([...ids].map(([type, some]) => listed(caller, type, [...some])))).flat()
}

const idsAtOnce = 100

async function listed({ ctx, api }: Caller, type: string, ids: readonly string[]): Promise<readonly ShownDocument[]> {
  const schema = ctx.server.schemas.byType.get(type)
  const shown = api.schemas.byType.get(type)
  if (!schema || !shown || !hasLabel(shown) || !api.audience.has(`${type}.viewAny`)) return []
  const found: ShownDocument[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    let query: URLSearchParams | null = new URLSearchParams({
      include: '',
      [`fields[${type}]`]: shown.label,
      'filter[id][in]': ids
        .slice(from, from + idsAtOnce)
        .map((id) => id.replaceAll(',', '\\,'))
        .join(),
    })
    // A type has pages of its own size.
    while (query) {
      const document: ShownDocument | null = await answerTo(ctx, { kind: 'viewAny', schema }, query)
      if (!document) return found
      found.push(document)
      const next = document.links?.next
      query = typeof next === 'string' ? new URL(next).searchParams : null
    }
  }
  return found
}

/** A group, as a document of statistics has it. */
export interface ShownGroup {
  readonly key: Readonly<Record<string, unknown>>
  readonly stats: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export const isIdentifier = (value: unknown): value is Identifier =>
  typeof value === 'object' && value !== null && 'type' in value && 'id' in value

/** The resources that groups are of, with what they are called: those that the caller may list. */
export async function readGrouped({ caller, operation, document }: PageRequest): Promise<readonly ShownDocument[]> {
  // Without groups, what it has may be an explanation.
  if (!caller || operation?.kind !== 'viewStats' || !document.meta?.groups) return []
  const groups = document.meta.groups as readonly ShownGroup[]
  return readLabels(
    caller,
    groups.flatMap(({ key }) => Object.values(key).filter(isIdentifier)),
  )
}
