import type { Language } from '@prismapi/jsonapi/document/text'
import type { ErrorObject } from '@prismapi/jsonapi/document/types'
import { controls } from './collection/controls.ts'
import { groupLinks } from './collection/groups.ts'
import { readPageData } from './data/page-data.ts'
import type { PageRequest } from './data/page-request.ts'
import type { Showing } from './data/showing.ts'
import { featureParts } from './feature-parts.ts'
import { createdFrom, creation, type Links, noLinks, typeToCreate } from './forms/creation.ts'
import { deletion, resourceToDelete } from './forms/deletion.ts'
import { readAgain } from './forms/refused-write.ts'
import { written } from './forms/written.ts'
import { assetHref } from './frame/assets.ts'
import { layout } from './frame/layout.ts'
import { withOwn } from './frame/own-parameters.ts'
import { raw } from './frame/raw.ts'
import { besideTitle, breadcrumbs, pageTitle } from './head.ts'
import { type Content, type Html, html } from './html/html.ts'
import { askOfMany, goneNote, judgedRows, manyFormOf, titleOfMany, toolbar } from './many/ask.ts'
import { type Many, manyOf } from './many/offered.ts'
import { isRefused, refused } from './many/sent.ts'
import { startPage } from './map/map.ts'
import { pageForms } from './page-forms.ts'
import { primaryData } from './primary-data.ts'
import { docsHref } from './reference/page.ts'
import { createdNote, doneNote } from './resource/created.ts'
import { includedCards } from './resource/resources.ts'

/** In: an answered request. Out: the page that shows its document, and what its reader can do next. */
export async function page(answered: PageRequest, user: unknown, language: Language): Promise<string> {
  const browsed = (await readAgain(answered)) ?? answered
  const { server, path, search, document, seal, caller, isCompact } = browsed
  const showing: Showing = { server, api: caller?.api ?? null, beside: await readPageData(browsed) }
  const typeOfForm = typeToCreate(browsed)
  const many = await manyOf(browsed)
  const confirmation = await confirmationOf(browsed, many)
  const isFound = !document.errors && !confirmation && !typeOfForm && !resourceToDelete(browsed)
  const links = isFound ? await createdFrom(browsed) : noLinks
  return layout(language, {
    server,
    title: confirmation ? titleOfMany(confirmation.form, confirmation.judged) : pageTitle(browsed, showing),
    above: breadcrumbs(browsed, showing),
    beside: isFound && (await besideTitle(browsed, showing, links)),
    content: [
      await createdNote(browsed, showing),
      doneNote(browsed),
      many && goneNote(browsed, many),
      document.errors && (isRefused(browsed) ? await refused(browsed, showing) : errorList(document.errors)),
      browsed.refusal && errorList(browsed.refusal.errors),
      await mainContent(browsed, showing, { typeOfForm, confirmation, offered: { many, links } }),
      !isSent(browsed) &&
        raw({
          ...browsed,
          url: server.baseUrl + path.slice(server.basePath.length) + search,
          isSignedIn: user != null,
        }),
    ],
    user,
    seal,
    isCompact,
    back: withOwn(path + search, browsed.own),
    docs: docsHref(server),
  })
}

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
  readonly offered: Offered
}

/** What the page is about: a question before a change of many rows, a form, a write that failed, or what was found. */
async function mainContent(
  browsed: PageRequest,
  showing: Showing,
  { typeOfForm, confirmation, offered }: Choice,
): Promise<Content> {
  if (confirmation) return askOfMany(browsed, showing, { ...confirmation, back: browsed.path + browsed.search })
  if (typeOfForm) return creation(browsed, typeOfForm)
  if (browsed.document.errors) return !isRefused(browsed) && written(browsed)
  return found(browsed, showing, offered)
}

/** Whether a form without a script sent the request: a client that asks for the page's URL gets something else. */
const isSent = ({ operation, sent }: PageRequest): boolean => operation?.kind === 'delete' || sent !== null

/** The errors of a document; each says what it is about, if that is a part of the request. */
const errorList = (errors: readonly ErrorObject[]): Html =>
  html`<div role="alert"><ul class="errors">${errors.map(
    ({ title, detail, source = {}, code }) =>
      html`<li><strong>${title}</strong>${detail && html`: ${detail}`}${Object.entries(source).map(
        ([kind, value]) => html` <code>${kind} ${value}</code>`,
      )}${code && html` <code>${code}</code>`}</li>`,
  )}</ul></div>`

interface Offered {
  readonly many: Many | null
  readonly links: Links
}

async function found(browsed: PageRequest, showing: Showing, { many, links }: Offered): Promise<Content> {
  const { caller, operation, server, path, document } = browsed
  const deleted = resourceToDelete(browsed)
  if (deleted) return deletion(browsed, deleted)
  if (caller && !operation && path === server.basePath) return startPage(caller)
  const { written, lost, permitted } = await pageForms(browsed)
  const asking = caller && operation && (await controls({ ...browsed, caller }, operation))
  return [
    lost,
    (asking || written) && html`<div class="tools">${written}${asking?.tools}</div>`,
    asking?.chips,
    operation?.kind === 'viewAny' && groupLinks(server, operation.schema),
    many && toolbar(many, browsed),
    streamed(browsed, primaryData(browsed, showing, { links, isPicked: many !== null })),
    permitted,
    await featureParts(browsed, showing),
    streamed(browsed, document.included?.length ? includedCards(showing, document.included) : null),
    isUpdated(browsed) && html`<script type="module" src="${assetHref(server, 'stream.js')}"></script>`,
  ]
}

/** A part of the page that its script updates, from the stream of this URL. */
const streamed = (browsed: PageRequest, content: Content): Content =>
  isUpdated(browsed) ? html`<div data-stream="${browsed.path + browsed.search}">${content}</div>` : content

const isUpdated = ({ hasStream, document }: PageRequest): boolean => hasStream && Array.isArray(document.data)
