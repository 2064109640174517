import type { Identifier } from '../../document/types.ts'
import type { PageRequest, ShownDocument } from './page-request.ts'
import { readLabels } from './read-labels.ts'

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
