import { isTrashed } from '@prismapi/core/write/write-row'
import type { Relationship, ResourceObject } from '@prismapi/jsonapi/document/types'
import { isToMany, type Relation } from '@prismapi/jsonapi/schema/relation-kinds'
import { type Attribute, targetSchemas } from '@prismapi/jsonapi/schema/resource-schema'
import { usualColumns } from './collection/columns.ts'
import { controls } from './collection/controls.ts'
import { countRelated } from './collection/counted.ts'
import { resourceTable } from './collection/table.ts'
import { answerTo } from './data/answer-to.ts'
import { firstPage } from './data/count-listed.ts'
import { hasLabel, pageDataFrom } from './data/page-data.ts'
import { editMark, type PageRequest, tabMark, withOwn } from './data/page-request.ts'
import { nameOf, type Showing } from './data/showing.ts'
import { blockHtml, featureParts, partHtml } from './feature-parts.ts'
import { createAnchor } from './forms/create-link.ts'
import type { Links } from './forms/creation.ts'
import { deleteLink, keptBy } from './forms/deletion.ts'
import { editHtml, folded } from './forms/write-forms.ts'
import { type Content, type Html, html } from './html/html.ts'
import { anchor, hrefOf } from './html/links.ts'
import { valueHtml } from './html/values.ts'
import { isEditing, type RecordForms } from './page-forms.ts'
import { type ChipContext, chipsHtml, linkChanges, linksAnchor } from './resource/chips.ts'
import { permissionsHtml, reasonHtml, whyNotDeleted, whySeenKept } from './resource/permissions.ts'
import { whyDenied } from './resource/reasons.ts'
import { restoreForm } from './resource/revert.ts'
import { page as pageWords, record as words } from './texts/reading.ts'
import { fieldWords, titleOf, type Words } from './texts/words.ts'
import { forms as formWords } from './texts/writing.ts'

// The page of one resource: its details, what is related to it, what its reader may do, and what features tell of it.

const permissionsTab = 'permissions'

interface Tab {
  /** As the URL has it; empty for the details. */
  readonly name: string
  readonly title: Content
  content(): Promise<Content>
}

/** A record as its page shows it. */
export interface ShownRecord {
  /** Left out, what the resource is called. */
  readonly title?: Words
  readonly beside?: Content
  readonly content: Content
}

/** The page of a resource, or the form that edits it. */
export async function recordPage(
  browsed: PageRequest,
  showing: Showing,
  { forms, links }: { readonly forms: RecordForms; readonly links: Links },
): Promise<ShownRecord> {
  const { path, seal, own } = browsed
  const { edit, actions, lost, mayUpdate, mayDelete, resource, schema } = forms
  const one = { type: schema.type, id: resource.id }
  if (edit) return { title: formWords.editTitle(nameOf(showing, one)), content: [lost, editHtml(edit, seal)] }
  const denied =
    isEditing(browsed) && (await whyDenied(forms.writer.ctx, { kind: 'update', schema, id: resource.id }, resource.row))
  const tabs = tabsOf(browsed, showing, { forms, links })
  const chosen = tabs.find(({ name }) => name === own.get(tabMark)) ?? (tabs[0] as Tab)
  const { caller, operation } = browsed
  const asking = caller && operation && (await controls({ ...browsed, caller }, operation))
  const why = chosen.name === permissionsTab ? whyNotDeleted : whySeenKept
  const kept = mayDelete && caller ? await why(caller, resource, showing) : null
  const way = (name: string) =>
    withOwn(path + browsed.search, new URLSearchParams(name === '' ? {} : { [tabMark]: name }))
  return {
    beside: html`<div class="acts">${asking?.tools}${mayUpdate && html`<a class="button main edit" id="edit" data-opens="update" href="${path}?${editMark}=true">${formWords.edit}</a>`}${mayDelete && deleteLink(path, kept)}</div>${kept && keptBy(path, kept)}`,
    content: [
      lost,
      denied && reasonHtml(denied),
      await inBin(browsed, forms),
      actions.length > 0 && html`<div class="tools">${actions.map((form) => folded(form, seal))}</div>`,
      html`<nav class="tabs" aria-label="${words.tabs}">${tabs.map(
        ({ name, title }) =>
          html`<a href="${way(name)}"${name === chosen.name && html` aria-current="page"`}>${title}</a>`,
      )}</nav>`,
      await chosen.content(),
    ],
  }
}

/** Says so of a row that is in the bin, with the way out. */
async function inBin({ caller, seal, etag }: PageRequest, { schema, resource }: RecordForms): Promise<Content> {
  const { row, id } = resource
  if (!caller || !isTrashed(schema, row)) return null
  const version = etag?.startsWith('"') ? etag : null
  return html`<div class="note bin" role="note"><p>${words.inBin}</p>${await restoreForm(caller, { schema, row, id }, { seal, version })}</div>`
}

interface Asked {
  readonly forms: RecordForms
  readonly links: Links
}

function tabsOf(browsed: PageRequest, showing: Showing, { forms, links }: Asked): readonly Tab[] {
  const { caller, parts } = browsed
  const related = relatedTo(forms)
  const content = () => relatedHtml(browsed, showing, { related, links, forms })
  const ofRelated: Tab = { name: 'related', title: words.related, content }
  const ofFeatures = parts.filter(({ tab, resource }) => tab && resource)
  return [
    { name: '', title: words.details, content: () => details(browsed, showing, { forms, links }) },
    ...(related.length > 0 ? [ofRelated] : []),
    ...ofFeatures.map(
      (part): Tab => ({
        name: part.tab?.name ?? '',
        title: part.tab?.title as Content,
        content: async () =>
          (await partHtml(part, browsed, { showing, forms })) ?? html`<p class="empty">${pageWords.noOne}</p>`,
      }),
    ),
    {
      name: permissionsTab,
      title: words.permissions,
      content: async () => caller && permissionsHtml(caller, forms.resource),
    },
  ]
}

/** What its relations are shown by. */
export function contextOf(
  { caller, path, seal, etag }: PageRequest,
  showing: Showing,
  { schema, resource: { row, id }, mayUpdate }: RecordForms,
): ChipContext | null {
  const version = etag?.startsWith('"') ? etag : null
  return caller && { caller, showing, schema, row, id, path, version, seal, mayUpdate }
}

/** What the record says: its texts at one side; at the other states, times and what it belongs to. */
async function details(browsed: PageRequest, showing: Showing, { forms, links }: Asked): Promise<Content> {
  const { document } = browsed
  const { schema } = forms
  const context = contextOf(browsed, showing, forms)
  if (!context) return null
  const { attributes = {}, relationships = {}, meta } = document.data as ResourceObject
  // The bin has its own message.
  const told = Object.entries(attributes).filter(
    ([name, value]) => value !== null || name !== schema.deletedAtAttribute,
  )
  const fields = told.map(([name, value]) => {
    const attribute = schema.attributes.get(name) ?? null
    return {
      isFact: isFact(attribute),
      html: entry(titleOf(name), valueHtml(value, attribute, { preview: schema.previews.get(name) ?? null })),
    }
  })
  const held: { readonly isFact: boolean; readonly html: Content }[] = []
  for (const [name, each] of Object.entries(relationships)) {
    const relation = schema.relations.get(name)
    const relationship: Relationship = showing.beside.relationshipOf(document.data as ResourceObject, name) ?? each
    const content = await chipsHtml(context, relationship, { name, created: links.get(name) })
    const isOne = relation !== undefined && !isToMany(relation)
    const title = isOne ? titleOf(name) : anchor(hrefOf(showing.server, each.links?.related), titleOf(name))
    held.push({ isFact: isOne, html: entry(title, content) })
  }
  const all = [...fields, ...held]
  const listed = (facts: boolean) => all.filter(({ isFact }) => isFact === facts).map((each) => each.html)
  const [content, facts] = [listed(false), listed(true)]
  return [
    html`<div class="columns record"><div><article class="card"><dl>${content}${meta && entry(pageWords.meta, valueHtml(meta))}</dl></article></div>
${facts.length > 0 && html`<aside aria-label="${words.facts}"><div class="card"><dl>${facts}</dl></div></aside>`}</div>`,
    await blockHtml(browsed, { showing, forms }),
    await featureParts(browsed, showing),
  ]
}

const entry = (title: Content, content: Content): Html => html`<div><dt>${title}</dt><dd>${content}</dd></div>`

const factual: ReadonlySet<string> = new Set(['enum', 'boolean', 'datetime', 'date', 'time'])

const isFact = (attribute: Attribute | null): boolean =>
  attribute !== null &&
  !attribute.isList &&
  !attribute.isConverted &&
  attribute.column !== null &&
  factual.has(attribute.kind)

/** The relations whose rows have a place of their own. */
const relatedTo = ({ schema, writer: { api } }: RecordForms): readonly Relation[] =>
  [...schema.relations.values()].filter(
    (relation) => isToMany(relation) && api.audience.has(`${schema.type}.${relation.name}.viewRelated`),
  )

const shownRelated = 10

async function relatedHtml(
  { caller, operation, path }: PageRequest,
  showing: Showing,
  { related, links, forms: { schema, resource } }: Asked & { readonly related: readonly Relation[] },
): Promise<Content> {
  const own = operation && caller?.ctx.server.schemas.byType.get(operation.schema.type)
  if (!caller || !own || operation.kind !== 'view') return null
  const sections: Content[] = []
  // One after the other: a page takes one connection.
  for (const { name } of related) {
    const relation = own.relations.get(name)
    const [target, ...others] = relation ? targetSchemas(caller.api.schemas, relation) : []
    if (!relation || !target) continue
    const near = [...target.relations.values()].filter(
      (each) => each.isIncludable && !isToMany(each) && hasNames(caller, each),
    )
    const query = new URLSearchParams({
      ...(others.length === 0 && firstPage(target, shownRelated)),
      ...(others.length === 0 && { include: near.map((each) => each.name).join(',') }),
    })
    const asked = { kind: 'viewRelated', schema: own, id: operation.id, relation } as const
    const document = await answerTo(caller.ctx, asked, query)
    if (!document) continue
    const rows = [document.data ?? []].flat() as readonly ResourceObject[]
    const columns = others.length === 0 ? usualColumns(target, rows) : null
    const counts = columns && (await countRelated(caller, { type: target.type, resources: rows, columns }))
    const beside = pageDataFrom([...(counts ? [counts] : []), document])
    const more = links.get(name)
    const may = await linkChanges(caller, { ...resource, schema }, relation)
    sections.push(html`<section class="related"><div class="head"><h2>${titleOf(name)}</h2><p><a href="${path}/${name}">${pageWords.allOf(fieldWords(name))}</a>${may.size > 0 && linksAnchor(`${path}/relationships/${name}`)}</p>${more && html`<p class="acts">${createAnchor(more)}</p>`}</div>
${rows.length === 0 ? html`<p class="empty">${pageWords.noOne}</p>` : resourceTable({ showing: { ...showing, beside }, resources: rows, shown: columns, isPicked: false, without: new Map(), sorted: null })}</section>`)
  }
  return sections.length > 0 ? sections : html`<p class="empty">${words.nothingRelated}</p>`
}

const hasNames = ({ api }: NonNullable<PageRequest['caller']>, relation: Relation): boolean =>
  targetSchemas(api.schemas, relation).every(hasLabel)
