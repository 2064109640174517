import type { CompiledServer } from '@prismapi/core/server/compile'
import { say } from '@prismapi/jsonapi/document/text'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import { isOfText } from '@prismapi/jsonapi/schema/label'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { cut } from '../html/values.ts'
import { fieldWords, oneOf, type Words } from '../texts/words.ts'
import { hasLabel, type PageData } from './page-data.ts'
import type { VisibleApi } from './page-request.ts'

/** What the parts of a page show resources by. */
export interface Showing {
  readonly server: CompiledServer
  /** Null where it is not known what the caller may be told. */
  readonly api: VisibleApi | null
  readonly beside: PageData
}

const labelLength = 80
const textLength = 40

/** What people call a resource, as its caller may see it; null where it has but its type and id. */
export function labelIn({ api, beside }: Showing, identifier: Identifier): string | null {
  const schema = api?.schemas.byType.get(identifier.type)
  if (!schema || !hasLabel(schema)) return null
  const value = beside.attributesOf(identifier)?.[schema.label]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim() : ''
  return text === '' ? null : cut(text, isOfText(schema.label) ? textLength : labelLength)
}

export const nameOf = (showing: Showing, identifier: Identifier): Words =>
  labelIn(showing, identifier) ?? typeAndId(showing, identifier)

/** `post 7`, for what has no label. */
export function typeAndId({ server }: Pick<Showing, 'server'>, { type, id }: Identifier): Words {
  const schema = server.schemas.byType.get(type)
  return say`${schema ? oneOf(schema) : fieldWords(type)} ${id}`
}

export const schemaIn = ({ api }: Showing, type: string): ResourceSchema | null => api?.schemas.byType.get(type) ?? null
