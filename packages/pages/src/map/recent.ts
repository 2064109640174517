import type { ResourceObject } from '@prismapi/jsonapi/document/types'
import type { Attribute, ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { firstPage, type Pays } from '../data/count-listed.ts'
import { hasLabel, pageDataFrom } from '../data/page-data.ts'
import type { Caller, ShownDocument } from '../data/page-request.ts'
import { labelIn, type Showing } from '../data/showing.ts'
import { type Content, html } from '../html/html.ts'
import { valueHtml } from '../html/values.ts'
import { named } from '../resource/relationships.ts'
import { map as words } from '../texts/reading.ts'
import { oneOf } from '../texts/words.ts'
import { listedTypes } from './counts.ts'
import { listPriced } from './listed.ts'

const shownRecent = 8
/** A type that changes all the time leaves room for others. */
const shownOfType = 3

interface Recent {
  readonly schema: ResourceSchema
  readonly resource: ResourceObject
  readonly at: number
  /** When it changed, as its document has it. */
  readonly told: string
}

/** What changed last of all that the caller may list: the first rows of each type, sorted by their time of change. */
export async function recentlyChanged(caller: Caller, pays: Pays): Promise<Content> {
  const documents: ShownDocument[] = []
  const found: Recent[] = []
  for (const schema of listedTypes(caller.api)) {
    const instant = instantOf(schema)
    const document = instant && (await newest(caller, { schema, instant }, pays))
    if (!instant || !document) continue
    documents.push(document)
    found.push(
      ...(document.data as readonly ResourceObject[]).flatMap((resource) => toRecent(schema, resource, instant)),
    )
  }
  if (found.length === 0) return null
  const showing: Showing = { server: caller.ctx.server, api: caller.api, beside: pageDataFrom(documents) }
  const shown = found.sort((a, b) => b.at - a.at).slice(0, shownRecent)
  return html`<section class="panel" aria-labelledby="recent"><h2 id="recent">${words.recent}</h2>
<ul class="plain links">${shown.map((each) => item(showing, each))}</ul><p class="soft"><small>${words.ofEach(shownOfType)}</small></p></section>`
}

function item(showing: Showing, { schema, resource, told }: Recent): Content {
  const isCalled = labelIn(showing, resource) !== null
  return html`<li>${named(showing, resource)} <small>${isCalled && [oneOf(schema), ' · ']}${valueHtml(told)}</small></li>`
}

/** What says when a resource changed last, or else when it was made: it is in the schema, whatever its name. */
function instantOf({ attributes }: ResourceSchema): Attribute | null {
  const instants = [...attributes.values()].filter(
    ({ kind, isList, writeOnly, isSortable, isConverted }) =>
      kind === 'datetime' && isSortable && !isList && !writeOnly && !isConverted,
  )
  return (
    instants.find(({ column }) => column?.isUpdatedAt) ??
    instants.find(({ column }) => column?.default === 'now') ??
    null
  )
}

function toRecent(schema: ResourceSchema, resource: ResourceObject, { name }: Attribute): readonly Recent[] {
  const told = resource.attributes?.[name]
  return typeof told === 'string' ? [{ schema, resource, told, at: Date.parse(told) }] : []
}

/** The request for the newest first; null if the type's pages have a fixed order, which is another one. */
function newestFirst(
  { paginator }: ResourceSchema,
  { name, column }: Attribute,
): Readonly<Record<string, string>> | null {
  const imposed = paginator?.order
  if (!imposed) return { sort: `-${name}` }
  const [first] = imposed
  return first?.direction === 'desc' && first.path.join('.') === column?.name ? {} : null
}

interface Newest {
  readonly schema: ResourceSchema
  readonly instant: Attribute
}

/** The document that the API answers; null where it refuses, and where that costs too much. */
async function newest(caller: Caller, { schema: shown, instant }: Newest, pays: Pays): Promise<ShownDocument | null> {
  const size = firstPage(shown, shownOfType)
  const order = newestFirst(shown, instant)
  if (!size || !order) return null
  const fields = hasLabel(shown) ? [shown.label, instant.name] : [instant.name]
  const query = { include: '', [`fields[${shown.type}]`]: fields.join(), ...order, ...size }
  return listPriced(caller, { schema: shown, query }, pays)
}
