import type { Language } from '@prismapi/jsonapi/document/text'
import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import { columnsFor } from './collection/columns.ts'
import { controls } from './collection/controls.ts'
import { countRelated } from './collection/counted.ts'
import { groupsHtml } from './collection/groups.ts'
import { pageLinks, sortNames } from './collection/links.ts'
import { moreMenu, viewTabs } from './collection/more.ts'
import { type Listed, resourceTable } from './collection/table.ts'
import { totalOf } from './data/count-listed.ts'
import { readPageData, type ShownGroup } from './data/page-data.ts'
import { didMark, type PageRequest, type ShownDocument, shownSchema, withOwn } from './data/page-request.ts'
import { labelIn, nameOf, type Showing, typeAndId } from './data/showing.ts'
import { featureParts, menuParts, pagesOfParts, undoHtml } from './feature-parts.ts'
import { withoutLinks } from './filters/filter-form.ts'
import { createAnchor, createLink } from './forms/create-link.ts'
import { createdFrom, creation, type Links, noLinks, typeToCreate } from './forms/creation.ts'
import { deletion, resourceToDelete } from './forms/deletion.ts'
import type { ShownForms } from './forms/write-forms.ts'
import { written } from './forms/written.ts'
import { assetHref } from './frame/assets.ts'
import { layout } from './frame/layout.ts'
import { raw } from './frame/raw.ts'
import { writeOf } from './frame/write.ts'
import { type Content, type Html, html } from './html/html.ts'
import { resourceHref } from './html/links.ts'
import { valueHtml } from './html/values.ts'
import { askOfMany, goneNote, judgedRows, manyFormOf, titleOfMany, toolbar } from './many/ask.ts'
import { checkMany, type Many } from './many/offered.ts'
import { isRefused, refused } from './many/sent.ts'
import { startPage } from './map/map.ts'
import { isEditing, pageForms, readAgain, recordForms } from './page-forms.ts'
import { contextOf, recordPage, type ShownRecord } from './record.ts'
import { binHtml, binLink, isBin } from './resource/bin.ts'
import { removing } from './resource/chips.ts'
import { createdNote, doneNote } from './resource/created.ts'
import { didNote } from './resource/did.ts'
import { errorList, failure } from './resource/failure.ts'
import { identifierList, includedCards, resourceFields } from './resource/resources.ts'
import { failures as failureWords, table as tableWords, page as words } from './texts/reading.ts'
import { capital, fieldWords, oneOf, titleOf, type Words } from './texts/words.ts'
import { forms as formWords, many as manyWords } from './texts/writing.ts'

/** In: an answered request. Out: the page that shows its document, and what its reader can do next. */
export async function page(answered: PageRequest, user: unknown, language: Language): Promise<string> {
  const browsed = (await readAgain(answered)) ?? answered
  const { server, servers, path, search, document, seal, caller, isCompact, operation } = browsed
  const showing: Showing = {
    server,
    api: caller?.api ?? null,
    beside: await readPageData(browsed, await countsOf(browsed)),
  }
  const typeOfForm = typeToCreate(browsed)
  const many = await checkMany(browsed)
  const confirmation = await confirmationOf(browsed, many)
  const isFound = !document.errors && !confirmation && !typeOfForm && !resourceToDelete(browsed)
  const links = isFound ? await createdFrom(browsed) : noLinks
  const forms = isFound ? await recordForms(browsed) : null
  const deleted = resourceToDelete(browsed)
  const record = deleted
    ? await deletion(browsed, showing, deleted)
    : forms && (await recordPage(browsed, showing, { forms, links }))
  return layout(language, {
    server,
    title: confirmation
      ? titleOfMany(confirmation.form, confirmation.judged)
      : (record?.title ?? pageTitle(browsed, showing)),
    way: wayTo(browsed, showing),
    beside: isFound && [await besideTitle(browsed, showing, links), record?.beside],
    content: [
      hasForms(browsed, { isFound, confirmation }) && formAssets(server),
      await createdNote(browsed, showing),
      doneNote(browsed),
      await didNote(browsed, showing, {
        context: forms && contextOf(browsed, showing, forms),
        last: forms && (() => undoHtml(browsed, { showing, forms })),
      }),
      many && goneNote(browsed, many),
      document.errors &&
        (isRefused(browsed) ? await refused(browsed, showing) : failure(browsed, { errors: document.errors, user })),
      browsed.refusal && errorList(browsed.refusal.errors),
      await mainContent(browsed, showing, { typeOfForm, confirmation, record, many }),
    ],
    developer:
      !isSent(browsed) &&
      raw({
        ...browsed,
        url: server.baseUrl + path.slice(server.basePath.length) + search,
        isSignedIn: user != null,
        write: await writeOf(browsed, forms),
      }),
    reader: {
      ...{ user, seal, back: withOwn(path + search, browsed.own), servers, isCompact, hasSignIn: browsed.hasSignIn },
      links: pagesOfParts(browsed.parts, server.basePath),
    },
    api: caller?.api ?? null,
    type: operation?.schema.type ?? (path === server.basePath ? '' : null),
  })
}

/** How many each row of a list has of what its columns are about. */
async function countsOf(browsed: PageRequest): Promise<ShownDocument | null> {
  const { caller, document } = browsed
  const schema = shownSchema(browsed)
  if (!caller || !schema || !Array.isArray(document.data)) return null
  const resources = document.data as readonly ResourceObject[]
  return countRelated(caller, { type: schema.type, resources, columns: columnsFor(browsed, resources) })
}

interface Kinds {
  readonly isFound: boolean
  readonly confirmation: Confirmation | null
}

const plain: ReadonlySet<string> = new Set(['viewAny', 'viewRelated', 'viewStats'])

/** Does the page have more than tables: then it needs what writes, and how that looks. */
const hasForms = ({ operation, own }: PageRequest, { isFound, confirmation }: Kinds): boolean =>
  own.has(didMark) || confirmation !== null || !isFound || (operation !== null && !plain.has(operation.kind))

const formAssets = (server: PageRequest['server']): Content =>
  html`<link rel="stylesheet" href="${assetHref(server, 'record.css')}"><script src="${assetHref(server, 'forms.js')}"></script>`

/** A change of many rows that its sender has to confirm, and which of the rows it can be made to. */
type Confirmation = Pick<Parameters<typeof askOfMany>[2], 'form' | 'judged'>

async function confirmationOf(browsed: PageRequest, many: Many | null): Promise<Confirmation | null> {
  const form = manyFormOf(browsed, many)
  const judged = form && (await judgedRows(browsed, form))
  return form && judged ? { form, judged } : null
}

interface Choice {
  /** The type whose empty form is asked for. */
  readonly typeOfForm: ReturnType<typeof typeToCreate>
  readonly confirmation: Confirmation | null
  /** The page of one resource, where it is one. */
  readonly record: ShownRecord | null
  readonly many: Many | null
}

/** What the page is about: a question before a change of many rows, a form, a write that failed, or what was found. */
async function mainContent(
  browsed: PageRequest,
  showing: Showing,
  { typeOfForm, confirmation, record, many }: Choice,
): Promise<Content> {
  if (confirmation) return askOfMany(browsed, showing, { ...confirmation, back: browsed.path + browsed.search })
  if (typeOfForm) return creation(browsed, typeOfForm)
  if (browsed.document.errors) return !isRefused(browsed) && written(browsed)
  if (record) return [record.content, includedBelow(browsed, showing)]
  return found(browsed, showing, many)
}

const includedBelow = (browsed: PageRequest, showing: Showing): Content =>
  !isEditing(browsed) && !resourceToDelete(browsed) && browsed.document.included?.length
    ? includedCards(showing, browsed.document.included)
    : null

/** Whether a form without a script sent the request: a client that asks for the page's URL gets something else. */
const isSent = ({ operation, sent }: PageRequest): boolean => operation?.kind === 'delete' || sent !== null

async function found(browsed: PageRequest, showing: Showing, many: Many | null): Promise<Content> {
  const { caller, operation, server, path, document } = browsed
  if (caller && !operation && path === server.basePath) return startPage(caller)
  const { written, lost, mayRemove } = await pageForms(browsed)
  const asking = caller && operation && (await controls({ ...browsed, caller }, operation))
  const menu = operation?.kind !== 'viewStats' && moreMenu(browsed, await menuParts(browsed, showing))
  const shown = isBin(browsed)
    ? await binHtml(browsed, showing)
    : streamed(
        browsed,
        primaryData(browsed, showing, { isPicked: many !== null, mayRemove, total: await totalOf(browsed) }),
      )
  return [
    lost,
    viewTabs(browsed),
    many && toolbar(many, browsed),
    (asking || menu) && html`<div class="tools">${asking?.tools}${menu}</div>`,
    asking?.chips,
    operation?.kind === 'viewRelationship' ? html`<div class="card linkage">${shown}${written}</div>` : shown,
    await featureParts(browsed, showing),
    streamed(browsed, document.included?.length ? includedCards(showing, document.included) : null),
    isUpdated(browsed) && html`<script type="module" src="${assetHref(server, 'stream.js')}"></script>`,
  ]
}

/** A part of the page that its script updates, from the stream of this URL. */
const streamed = (browsed: PageRequest, content: Content): Content =>
  isUpdated(browsed) ? html`<div data-stream="${browsed.path + browsed.search}">${content}</div>` : content

const isUpdated = ({ hasStream, document }: PageRequest): boolean => hasStream && Array.isArray(document.data)

// What stands above the content of a page: the way here, the title, and what is beside it.

/** What the page is called. */
function pageTitle(browsed: PageRequest, showing: Showing): Words {
  const { status, operation, path, server } = browsed
  const created = typeToCreate(browsed)
  if (created) return formWords.create(oneOf(created))
  if (isRefused(browsed)) return manyWords.nothing
  if (status >= 400 && !browsed.refusal) return failureWords.titles[status] ?? words.error(status)
  if (!operation) return path === server.basePath ? words.map : path
  const { type } = operation.schema
  if (operation.kind === 'viewStats') return words.statisticsOf(fieldWords(type))
  const isOne = 'id' in operation && operation.id !== null
  const one = isOne ? { type, id: operation.id as string } : null
  if (!('relation' in operation)) return one ? (labelIn(showing, one) ?? capital(nameOf(showing, one))) : titleOf(type)
  const isEdited = operation.kind === 'viewRelationship'
  const relation = (isEdited ? fieldWords : titleOf)(operation.relation.name)
  const title = words.relationOf(relation, one ? nameOf(showing, one) : fieldWords(type))
  return isEdited ? formWords.editTitle(title) : title
}

/** The way here from home, without the page itself. */
function wayTo(browsed: PageRequest, showing: Showing): readonly Content[] {
  const { server, operation, status } = browsed
  if (!operation) return []
  const { type } = operation.schema
  const isCreating = typeToCreate(browsed) !== null
  const collection = html`<a href="${server.basePath}/${type}">${titleOf(type)}</a>`
  if (operation.kind === 'viewAny' && !isCreating) return status < 400 ? [] : [collection]
  if (!('id' in operation) || operation.id === null) return [collection]
  const own = { type, id: operation.id }
  const isDeleting = operation.kind === 'delete' || resourceToDelete(browsed) !== null || isEditing(browsed)
  const isBelow = 'relation' in operation || 'action' in operation || isDeleting
  return isBelow ? [collection, html`<a href="${resourceHref(server, own)}">${nameOf(showing, own)}</a>`] : [collection]
}

/** What else a resource is called, the way to a new one of a collection, or what can be done with groups. */
async function besideTitle(browsed: PageRequest, showing: Showing, links: Links): Promise<Content> {
  const { caller, operation } = browsed
  const schema = operation && caller?.api.schemas.byType.get(operation.schema.type)
  if (!caller || !schema) return null
  const { kind } = operation
  // Nothing else would stand in its row below the title.
  if (kind === 'viewStats') return moreMenu(browsed, await menuParts(browsed, showing))
  if (kind === 'view') {
    const { type } = schema
    const label = labelIn(showing, { type, id: operation.id })
    // Where its name has the id, such as "Post 7", that is not said again.
    const isTold = label === null || label.split(/[\s#]+/).includes(operation.id)
    return !isTold && html`<p class="sub">${typeAndId(showing, { type, id: operation.id })}</p>`
  }
  const link =
    kind === 'viewAny'
      ? await createLink(caller, schema, { given: '', back: null })
      : kind === 'viewRelated' && links.get(operation.relation.name)
  const toBin = kind === 'viewAny' && !isBin(browsed) && binLink(caller, schema)
  return (link || toBin) && html`<p>${link && createAnchor(link)}${toBin && html` ${toBin}`}</p>`
}

/** What the document is about: groups, a collection, a resource, identifiers, or `meta` alone. */
function primaryData(
  browsed: PageRequest,
  showing: Showing,
  {
    isPicked,
    mayRemove,
    total,
  }: Pick<Listed, 'isPicked'> & Pick<ShownForms, 'mayRemove'> & { readonly total: number | null },
): Content {
  const { operation, document } = browsed
  const { data } = document
  if (operation?.kind === 'viewStats' && document.meta?.groups)
    return groupsHtml(showing, operation.schema, document.meta.groups as readonly ShownGroup[])
  const { page: _, ...others } = document.meta ?? {}
  const meta = Object.keys(others).length > 0 && html`<p class="meta">${words.meta} ${valueHtml(others)}</p>`
  if (data === undefined) return meta
  if (data === null) return [meta, html`<p class="empty">${words.noOne}</p>`]
  const isLinkage = operation?.kind === 'viewRelationship'
  const remove = mayRemove ? removingAt(browsed, showing) : null
  if (Array.isArray(data))
    return [
      meta,
      isLinkage ? identifierList(showing, data, remove) : collection(browsed, showing, { resources: data, isPicked }),
      pageLinks(browsed, total),
    ]
  if (isLinkage) return [meta, identifierList(showing, [data as Identifier], null)]
  return [meta, html`<article class="card">${resourceFields(showing, data as ResourceObject)}</article>`]
}

/** What takes one out of the relationship that the page shows, and leads back to it. */
function removingAt({ caller, operation, path, search, seal, etag }: PageRequest, showing: Showing) {
  if (!caller || operation?.kind !== 'viewRelationship') return null
  const { relation } = operation
  const at = { path: path.slice(0, path.lastIndexOf('/relationships/')), back: path + search }
  const context = { ...{ caller, showing, seal, version: etag?.startsWith('"') ? etag : null }, ...at }
  return (one: Identifier) => removing(context, relation, one)
}

function collection(
  { caller, operation, path, search, kept }: PageRequest,
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
    shown: columnsFor({ caller, operation, search, kept }, resources),
    isPicked,
    without: withoutLinks({ caller, operation, path, search }),
    sorted: names && { path, search, names },
  })
}
