import type { ServerContext } from '@prismapi/core/server/serving'
import type { Identifier, Relationship } from '@prismapi/jsonapi/document/types'
import type { Row } from '@prismapi/jsonapi/model/where'
import type { RelationOperation } from '@prismapi/jsonapi/request/operation'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { isWritable, type ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { backMark, type Caller, didMark, sentMethod, sentSeal, sentVersion, withOwn } from '../data/page-request.ts'
import { nameOf, type Showing } from '../data/showing.ts'
import { type CreateLink, createAnchor } from '../forms/create-link.ts'
import { relationField } from '../forms/form-fields.ts'
import { controlName, idListOf } from '../forms/sent-fields.ts'
import { formHtml, type WriteForm } from '../forms/write-forms.ts'
import { type Content, type Html, hidden, html } from '../html/html.ts'
import { anchor, hrefOf } from '../html/links.ts'
import { nothing } from '../html/values.ts'
import { isOffered } from '../many/offered.ts'
import { page as pageWords, values as words } from '../texts/reading.ts'
import { titleOf } from '../texts/words.ts'
import { forms } from '../texts/writing.ts'
import { named } from './relationships.ts'

/** The record that relations are shown of, and how they are changed. */
export interface ChipContext {
  readonly caller: Caller
  readonly showing: Showing
  readonly schema: ResourceSchema
  readonly row: Row
  readonly id: string
  readonly path: string
  /** The page that comes next; left out, that of the record. */
  readonly back?: string
  readonly version: string | null
  readonly seal: string | null
  /** Is there a form that edits the whole record. */
  readonly mayUpdate: boolean
}

/** What a form about one link is made of. */
type LinkContext = Omit<ChipContext, 'schema' | 'row' | 'id' | 'mayUpdate'>

/** What a reader may do with the links of one relation. */
const changes = ['attach', 'detach', 'updateRelationship'] as const
type Change = (typeof changes)[number]

export async function linkChanges(
  { ctx }: Caller,
  { schema, row, id }: Pick<ChipContext, 'schema' | 'row' | 'id'>,
  relation: Relation,
): Promise<ReadonlySet<Change>> {
  const may = new Set<Change>()
  if (!isWritable(schema, relation)) return may
  for (const kind of changes)
    if (await isOffered(ctx as ServerContext, { kind, schema, relation, id } as RelationOperation, row)) may.add(kind)
  return may
}

/**
 * What a relation holds, each as a chip with × if it may be taken out; the way to what is left; and a button if one may
 * be added or made. All of it, and its links, have their place at the tab of what is related.
 */
export async function chipsHtml(
  context: ChipContext,
  relationship: Relationship,
  { name, created }: { readonly name: string; readonly created: CreateLink | undefined },
): Promise<Content> {
  const { showing, schema } = context
  const relation = schema.relations.get(name)
  const { links = {}, data, meta } = relationship
  const related = hrefOf(showing.server, links.related)
  const all = (content: Content) => anchor(related, content)
  const count = typeof meta?.count === 'number' ? meta.count : null
  const more = created && [' ', createAnchor(created)]
  if (data === undefined || !relation) return [all(count === null ? words.open : String(count)), more]
  const may = await linkChanges(context.caller, context, relation)
  // What links of other rows, and those that have to be there, can only be changed at their own page.
  const isFree = isToMany(relation)
    ? relation.kind !== 'hasMany' && may.has('detach')
    : relation.kind !== 'hasOne' && may.has('updateRelationship')
  const mayRemove = isFree && (isToMany(relation) || relation.isNullable)
  const held = [data ?? []].flat() as readonly Identifier[]
  const left = Math.max(count ?? 0, held.length) - held.length
  const isCut = (meta?.page as { readonly hasMore?: boolean } | undefined)?.hasMore === true
  const rest = left > 0 ? words.more(left) : isCut ? words.andMore : null
  return [
    held.length === 0
      ? nothing
      : html`<ul class="links-held">${held.map((one) => html`<li>${named(showing, one)}${mayRemove && removing(context, relation, one)}</li>`)}</ul>`,
    rest !== null && [' ', all(rest)],
    isFree && !isToMany(relation) && !context.mayUpdate && linksAnchor(hrefOf(showing.server, links.self)),
    more,
    isToMany(relation) && relation.kind !== 'hasMany' && may.has('attach') && adding(context, relation, held),
  ]
}

/** The way to the page that changes what a relation links. */
export const linksAnchor = (href: string | null): Content =>
  href !== null && html` <a class="aside" href="${href}">${pageWords.ids}</a>`

/** Where a form about the relation is sent without a script; back to the record, which says so. */
const sentTo = ({ path, back = path }: LinkContext, { name }: Relation): string =>
  `${path}/relationships/${name}?${new URLSearchParams({ [backMark]: back })}`

const common = ({ seal, version }: LinkContext, method: string): Content => [
  hidden(sentMethod, method),
  seal && hidden(sentSeal, seal),
  version && hidden(sentVersion, version),
]

/** The button that takes one out. */
export function removing(context: LinkContext, relation: Relation, one: Identifier): Html {
  const { caller, showing } = context
  const control = controlName(relationField(caller.api, relation, '/data'))
  const isMany = isToMany(relation)
  const label = forms.removeOne(nameOf(showing, one))
  return html`<form method="post" action="${sentTo(context, relation)}">${common(context, isMany ? 'DELETE' : 'PATCH')}${hidden(control, isMany ? idListOf([one.id]) : '')}<button class="x" aria-label="${label}" title="${label}">×</button></form>`
}

function adding(context: ChipContext, relation: Relation, held: readonly Identifier[]): Html {
  const { caller, path, version, seal } = context
  const { name } = relation
  const field = { ...relationField(caller.api, relation, '/data'), held: held.map(({ id }) => id) }
  const form: WriteForm = {
    ...{ id: `add-${name}`, title: forms.attach, method: 'POST', path: `${path}/relationships/${name}`, document: {} },
    ...{ version, fields: [field], action: sentTo(context, relation) },
    more: hidden(sentMethod, 'POST'),
    next: withOwn(path, new URLSearchParams({ [didMark]: `attach ${name}` })),
  }
  const label = forms.addTo(titleOf(name))
  return html` <details class="add" id="${form.id}"><summary aria-label="${label}" title="${label}">${forms.attach}</summary>${formHtml(form, seal)}</details>`
}

/** The form that links again what was taken out, in one click. */
export function linkingAgain(context: ChipContext, relation: Relation, id: string): Html {
  const control = controlName(relationField(context.caller.api, relation, '/data'))
  return html`<form method="post" action="${sentTo(context, relation)}">${common(context, 'POST')}${hidden(control, idListOf([id]))}<button>${forms.undo}</button></form>`
}
