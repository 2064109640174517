import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { backMark, type Caller, newMark } from '../data/page-request.ts'
import { type Content, html } from '../html/html.ts'
import { isOffered } from '../many/offered.ts'
import { oneOf, type Words } from '../texts/words.ts'
import { creation as words } from '../texts/writing.ts'

/** The way to the page that creates one of a type. */
export interface CreateLink {
  readonly href: string
  readonly title: Words
}

export const createAnchor = ({ href, title }: CreateLink): Content => html`<a class="new" href="${href}">${title}</a>`

interface Way {
  /** What is filled in: `<relation>:<type>:<id>`, or nothing. */
  readonly given: string
  /** Where its reader goes on; null for to what was created. */
  readonly back: string | null
}

/** Null where the caller may create none. */
export async function createLink(
  { ctx, api }: Caller,
  schema: ResourceSchema,
  { given, back }: Way,
): Promise<CreateLink | null> {
  const { type, operations } = schema
  if (!operations.has('create') || !api.audience.has(`${type}.viewAny`)) return null
  if (!(await isOffered(ctx, { kind: 'create', schema }, null))) return null
  const query = new URLSearchParams({ [newMark]: given, ...(back !== null && { [backMark]: back }) })
  return { href: `${api.basePath}/${type}?${query}`, title: words.title(oneOf(schema)) }
}
