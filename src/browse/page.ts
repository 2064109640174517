import type { Language } from '../document/language.ts'
import { say } from '../document/text.ts'
import type { ErrorObject, Identifier, ResourceObject } from '../document/types.ts'
import { find } from '../read/find.ts'
import { conceal } from '../read/loading/conceal.ts'
import { toResource } from '../read/resource.ts'
import { controls } from './collection/controls.ts'
import { groupLinks, groupsHtml } from './collection/groups.ts'
import { pageLinks } from './collection/pager.ts'
import { sortNames } from './collection/sort-links.ts'
import { type Listed, resourceTable } from './collection/table.ts'
import { createdResource } from './data/created-resource.ts'
import type { ShownGroup } from './data/group-labels.ts'
import { linkedIds } from './data/linked-ids.ts'
import { readPageData } from './data/page-data.ts'
import type { PageRequest } from './data/page-request.ts'
import { labelIn, nameOf, type Showing, typeAndId } from './data/showing.ts'
import { withoutLinks } from './filters/without.ts'
import { type CreateLink, createAnchor, createLink } from './forms/create-link.ts'
import { createLinks, creation, targetLinks, typeToCreate } from './forms/creation.ts'
import { deletion, resourceToDelete } from './forms/deletion.ts'
import { formsAgain, readAgain } from './forms/refused-write.ts'
import { relationshipForms, resourceForms, type ShownForms } from './forms/write-forms.ts'
import { written } from './forms/written.ts'
import { assetHref } from './frame/assets.ts'
import { layout } from './frame/layout.ts'
import { raw } from './frame/raw.ts'
import { type Content, type Html, html } from './html/html.ts'
import { resourceHref } from './html/urls.ts'
import { valueHtml } from './html/values.ts'
import { askOfMany, goneNote, judgedRows, manyFormOf, titleOfMany } from './many/ask.ts'
import { type Many, manyOf } from './many/offered.ts'
import { isRefused, refused } from './many/sent.ts'
import { toolbar } from './many/toolbar.ts'
import { startPage } from './map/start-page.ts'
import { docsHref } from './reference/page.ts'
import { createdNote, doneNote } from './resource/created.ts'
import { history } from './resource/history.ts'
import { permissionsHtml } from './resource/permissions.ts'
import { identifierList, includedCards, resourceFields } from './resource/resources.ts'
import { table as tableWords, page as words } from './texts/reading.ts'
import { capital, fieldWords, oneOf, titleOf, type Words } from './texts/words.ts'
import { deletion as deletionWords, forms as formWords, many as manyWords } from './texts/writing.ts'

/** In: a document that was answered. Out: the page that shows it, and what can be done next. */
export async function page(answered: PageRequest, user: unknown, language: Language): Promise<string> {
  const browsed = (await readAgain(answered)) ?? answered
  const { server, path, search, document, seal, caller, isCompact } = browsed
  const showing: Showing = { server, api: caller?.api ?? null, beside: await readPageData(browsed) }
  const created = typeToCreate(browsed)
  const many = await manyOf(browsed)
  const form = manyFormOf(browsed, many)
  const judged = form && (await judgedRows(browsed, form))
  const isFound = !document.errors && !judged && !created && !resourceToDelete(browsed)
  const links = isFound ? await createdFrom(browsed) : noLinks
  const content: Content = [
    await createdNote(browsed, showing),
    doneNote(browsed),
    many && goneNote(browsed, many),
    document.errors && (isRefused(browsed) ? await refused(browsed, showing) : errorList(document.errors)),
    browsed.refusal && errorList(browsed.refusal.errors),
    form && judged
      ? await askOfMany(browsed, showing, { form, judged, back: browsed.path + browsed.search })
      : created
        ? await creation(browsed, created)
        : document.errors
          ? !isRefused(browsed) && written(browsed)
          : await found(browsed, showing, { many, links }),
    !isSent(browsed) &&
      raw({ ...browsed, url: server.baseUrl + path.slice(server.basePath.length) + search, isSignedIn: user != null }),
  ]
  return layout(language, {
    server,
    title: form && judged ? titleOfMany(form, judged) : pageTitle(browsed, showing),
    above: breadcrumbs(browsed, showing),
    beside: isFound && (await besideTitle(browsed, showing, links)),
    content,
    user,
    seal,
    isCompact,
    back: path + search,
    docs: docsHref(server),
  })
}

/** What a form sent without a script is not what a client would ask for by the URL of the page. */
const isSent = ({ operation, sent }: PageRequest): boolean => operation?.kind === 'delete' || sent !== null

function pageTitle(browsed: PageRequest, showing: Showing): Words {
  const { status, operation, path, server } = browsed
  const created = typeToCreate(browsed)
  if (created) return formWords.create(oneOf(created))
  if (isRefused(browsed)) return manyWords.nothing
  if (status >= 400 && !browsed.refusal) return words.error(status)
  if (!operation) return path === server.basePath ? words.map : path
  const { type } = operation.schema
  if (operation.kind === 'viewStats') return words.statisticsOf(fieldWords(type))
  const deleted = resourceToDelete(browsed)
  if (deleted) return deletionWords.title(nameOf(showing, { type, id: deleted.id }))
  const isOne = 'id' in operation && operation.id !== null
  const one = isOne ? { type, id: operation.id as string } : null
  if (!('relation' in operation))
    return (one && labelIn(showing, one)) ?? (one ? capital(nameOf(showing, one)) : titleOf(type))
  const title = words.relationOf(titleOf(operation.relation.name), one ? nameOf(showing, one) : fieldWords(type))
  return operation.kind === 'viewRelationship' ? say`${title} (${words.ids})` : title
}

/** The errors of a document; each says what it is about, if that is a part of the request. */
const errorList = (errors: readonly ErrorObject[]): Html =>
  html`<div role="alert"><ul class="errors">${errors.map(
    ({ title, detail, source = {}, code }) =>
      html`<li><strong>${title}</strong>${detail && html`: ${detail}`}${Object.entries(source).map(
        ([kind, value]) => html` <code>${kind} ${value}</code>`,
      )}${code && html` <code>${code}</code>`}</li>`,
  )}</ul></div>`

/** What else a resource is called, or the way to a new one of a collection. */
async function besideTitle({ caller, operation }: PageRequest, showing: Showing, links: Links): Promise<Content> {
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!caller || !schema) return null
  const { kind } = operation
  if (kind === 'view') {
    const one = { type: schema.type, id: operation.id }
    return labelIn(showing, one) !== null && html`<p class="sub">${typeAndId(showing, one)}</p>`
  }
  const link =
    kind === 'viewAny'
      ? await createLink(caller, schema, { given: '', back: null })
      : kind === 'viewRelated' && links.get(operation.relation.name)
  return link && html`<p>${createAnchor(link)}</p>`
}

interface Offered {
  readonly many: Many | null
  readonly links: Links
}

async function found(browsed: PageRequest, showing: Showing, { many, links }: Offered): Promise<Content> {
  const { caller, operation, server, path, document } = browsed
  const deleted = resourceToDelete(browsed)
  if (deleted) return deletion(browsed, deleted)
  if (caller && !operation && path === server.basePath) return startPage(caller)
  const { written, lost, permitted } = await forms(browsed)
  const asking = caller && operation && (await controls({ ...browsed, caller }, operation))
  return [
    lost,
    (asking || written) && html`<div class="tools">${written}${asking?.tools}</div>`,
    asking?.chips,
    operation?.kind === 'viewAny' && groupLinks(server, operation.schema),
    many && toolbar(many, browsed),
    streamed(browsed, shown(browsed, showing, { links, isPicked: many !== null })),
    permitted,
    await history(browsed, showing),
    streamed(browsed, document.included?.length ? includedCards(showing, document.included) : null),
    isUpdated(browsed) && html`<script type="module" src="${assetHref(server, 'stream.js')}"></script>`,
  ]
}

/** A part of the page that its script keeps up to date, by the stream of this URL. */
const streamed = (browsed: PageRequest, content: Content): Content =>
  isUpdated(browsed) ? html`<div data-stream="${browsed.path + browsed.search}">${content}</div>` : content

const isUpdated = ({ hasStream, document }: PageRequest): boolean => hasStream && Array.isArray(document.data)

/** The way here from the collection of the type. */
function breadcrumbs(browsed: PageRequest, showing: Showing): Content {
  const { server, operation } = browsed
  if (!operation) return null
  const { type } = operation.schema
  const isCreating = typeToCreate(browsed) !== null
  const collection = html`<a href="${server.basePath}/${type}">${titleOf(type)}</a>`
  const crumbs = (way: Content) => html`<nav class="crumbs" aria-label="${words.way}">${way}</nav>`
  if (operation.kind === 'viewStats' || isCreating) return crumbs(collection)
  if (!('id' in operation) || operation.id === null) return null
  const own = { type, id: operation.id }
  const isDeleting = operation.kind === 'delete' || resourceToDelete(browsed) !== null
  const isBelow = 'relation' in operation || 'action' in operation || isDeleting
  return crumbs([collection, isBelow && html` › <a href="${resourceHref(server, own)}">${nameOf(showing, own)}</a>`])
}

type Links = ReadonlyMap<string, CreateLink>
const noLinks: Links = new Map()

/** The ways to more that the resource is related to. */
async function createdFrom(browsed: PageRequest): Promise<Links> {
  const { caller, operation } = browsed
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!schema || (operation.kind !== 'view' && operation.kind !== 'viewRelated')) return noLinks
  return createLinks(browsed, schema, { type: schema.type, id: operation.id })
}

interface Listing {
  readonly links: Links
  /** Can rows be chosen, for what is done with many. */
  readonly isPicked: boolean
}

function shown(browsed: PageRequest, showing: Showing, { links, isPicked }: Listing): Content {
  const { operation, document } = browsed
  const { data } = document
  if (operation?.kind === 'viewStats' && document.meta?.groups)
    return groupsHtml(showing, document.meta.groups as readonly ShownGroup[])
  const { page: _, ...others } = document.meta ?? {}
  const meta = Object.keys(others).length > 0 && html`<p class="meta">${words.meta} ${valueHtml(others)}</p>`
  if (data === undefined) return meta
  if (data === null) return [meta, html`<p class="empty">${words.noOne}</p>`]
  const isLinkage = operation?.kind === 'viewRelationship'
  if (Array.isArray(data))
    return [
      meta,
      isLinkage ? identifierList(showing, data) : collection(browsed, showing, { resources: data, isPicked }),
      pageLinks(browsed),
    ]
  if (isLinkage) return [meta, identifierList(showing, [data as Identifier])]
  return [
    meta,
    html`<article class="card">${resourceFields(showing, data as ResourceObject, { isWhole: true, created: links })}</article>`,
  ]
}

function collection(
  { caller, operation, path, search }: PageRequest,
  showing: Showing,
  { resources, isPicked }: Pick<Listed, 'resources' | 'isPicked'>,
): Html {
  if (resources.length === 0) {
    const isNarrowed = [...new URLSearchParams(search).keys()].some((name) => /^(?:filter|page)\b/.test(name))
    return isNarrowed
      ? html`<p class="empty">${tableWords.noneFound} <a href="${path}">${tableWords.showAll}</a></p>`
      : html`<p class="empty">${tableWords.empty}</p>`
  }
  const schema = operation?.kind === 'viewAny' ? caller?.api.schemas.byType.get(operation.schema.type) : null
  const names = caller && schema ? new Set(sortNames(caller.api, schema)) : null
  return resourceTable({
    showing,
    resources,
    isPicked,
    without: withoutLinks({ caller, operation, path, search }),
    sorted: names && { path, search, names },
  })
}

interface Forms extends ShownForms {
  /** What the caller may do. */
  readonly permitted: Content
}

const none: Forms = { written: null, lost: null, permitted: null }

async function forms(browsed: PageRequest): Promise<Forms> {
  const { caller, operation, path, document, etag } = browsed
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!caller || !schema) return none
  if (operation.kind !== 'view' && operation.kind !== 'viewRelationship') return none
  const row = await find(caller.ctx, operation.schema, operation.id)
  if (!row) return none
  const resource = toResource(operation.schema, row)
  await conceal(caller.ctx, [resource])
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
