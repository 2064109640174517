import type { Language } from '../document/language.ts'
import type { ErrorObject } from '../document/types.ts'
import { controls } from './collection/controls.ts'
import { groupLinks } from './collection/groups.ts'
import { readPageData } from './data/page-data.ts'
import type { PageRequest } from './data/page-request.ts'
import type { Showing } from './data/showing.ts'
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
import { askOfMany, goneNote, judgedRows, manyFormOf, titleOfMany } from './many/ask.ts'
import { type Many, manyOf } from './many/offered.ts'
import { isRefused, refused } from './many/sent.ts'
import { toolbar } from './many/toolbar.ts'
import { startPage } from './map/start-page.ts'
import { pageForms } from './page-forms.ts'
import { primaryData } from './primary-data.ts'
import { docsHref } from './reference/page.ts'
import { createdNote, doneNote } from './resource/created.ts'
import { history } from './resource/history.ts'
import { includedCards } from './resource/resources.ts'

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
    back: withOwn(path + search, browsed.own),
    docs: docsHref(server),
  })
}

/** What a form sent without a script is not what a client would ask for by the URL of the page. */
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
    await history(browsed, showing),
    streamed(browsed, document.included?.length ? includedCards(showing, document.included) : null),
    isUpdated(browsed) && html`<script type="module" src="${assetHref(server, 'stream.js')}"></script>`,
  ]
}

/** A part of the page that its script keeps up to date, by the stream of this URL. */
const streamed = (browsed: PageRequest, content: Content): Content =>
  isUpdated(browsed) ? html`<div data-stream="${browsed.path + browsed.search}">${content}</div>` : content

const isUpdated = ({ hasStream, document }: PageRequest): boolean => hasStream && Array.isArray(document.data)
