import { say } from '../document/text.ts'
import type { Identifier } from '../document/types.ts'
import type { ResourceSchema } from '../schema/resource-schema.ts'
import type { CompiledServer } from '../server/compile.ts'
import type { Beside } from './beside.ts'
import { hasLabel } from './beside-query.ts'
import { cut } from './cut.ts'
import type { Told } from './told.ts'
import { oneOf, type Words } from './words.ts'

/** What the parts of a page show resources by. */
export interface Showing {
  readonly server: CompiledServer
  /** Null where it is not known what the caller may be told. */
  readonly told: Told | null
  readonly beside: Beside
}

const labelLength = 80

/** What people call a resource, as its caller may see it; null where it has but its type and id. */
export function labelIn({ told, beside }: Showing, identifier: Identifier): string | null {
  const schema = told?.schemas.byType.get(identifier.type)
  if (!schema || !hasLabel(schema)) return null
  const value = beside.attributesOf(identifier)?.[schema.label]
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text === '' ? null : cut(text, labelLength)
}

export const nameOf = (showing: Showing, identifier: Identifier): Words =>
  labelIn(showing, identifier) ?? typeAndId(identifier)

/** `post 7`, for what has no label. */
export const typeAndId = ({ type, id }: Identifier): Words => say`${oneOf(type)} ${id}`

export const schemaIn = ({ told }: Showing, type: string): ResourceSchema | null =>
  told?.schemas.byType.get(type) ?? null
