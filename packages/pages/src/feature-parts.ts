import type { Api } from '@prismapi/core/http/api'
import type {
  CollectionMenu,
  CollectionPage,
  OwnPage,
  Page,
  PageContent,
  PagePart,
  ResourcePage,
} from '@prismapi/core/server/page-part'
import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import { pagesOf } from './compile-pages.ts'
import { answerTo } from './data/answer-to.ts'
import { firstPage } from './data/count-listed.ts'
import { pageDataFrom, readLabels } from './data/page-data.ts'
import { type Caller, ownParameters, ownPath, type PageRequest, withOwn } from './data/page-request.ts'
import type { Showing } from './data/showing.ts'
import { editForm } from './forms/write-forms.ts'
import { titleTold } from './frame/rail.ts'
import type { Reader } from './frame/reader.ts'
import { type Content, html } from './html/html.ts'
import { hrefOf, withParameters } from './html/links.ts'
import { valueHtml } from './html/values.ts'
import type { RecordForms } from './page-forms.ts'
import { named } from './resource/relationships.ts'
import { revertForm } from './resource/revert.ts'
import { titleOf } from './texts/words.ts'
import { forms as words } from './texts/writing.ts'

/** What the features of a server show below the document, in the order of their list. */
export async function featureParts(browsed: PageRequest, showing: Showing): Promise<Content> {
  const { caller, operation, document, parts } = browsed
  const { data } = document
  if (!caller || !operation || !data || parts.length === 0) return null
  const contents: PageContent[] = []
  const page = pageOf(caller, { browsed, showing })
  for (const part of parts) if (!part.tab) contents.push(await contentOf(part, page, browsed))
  return toContent(contents)
}

/** What features offer in the menu of a list. */
export async function menuParts(browsed: PageRequest, showing: Showing): Promise<Content> {
  const { caller, operation, document, parts } = browsed
  if (!caller || operation?.kind !== 'viewAny' || !Array.isArray(document.data)) return null
  const { path, search } = browsed
  const page = { ...pageOf(caller, { browsed, showing }), resources: document.data, path, search } as CollectionMenu
  const contents: PageContent[] = []
  for (const { menu } of parts) contents.push(await menu?.(page))
  return toContent(contents)
}

/** What features show on pages. */
export const partsOf = ({ plugins }: Pick<Api, 'plugins'>): readonly PagePart[] =>
  plugins.flatMap(({ page }) => page ?? [])

/** A path of the server, as a feature shortens it; what the page itself is asked for stays as it is. */
export function shortHref({ server, parts }: Pick<PageRequest, 'server' | 'parts'>, href: string): string {
  const at = href.indexOf('?')
  if (at < 0 || !href.startsWith(`${server.basePath}/`)) return href
  const { search, own } = ownParameters(href.slice(at))
  const url = server.baseUrl + href.slice(server.basePath.length, at).replace(/\/$/, '') + search
  const short = parts.reduce<string | null>((found, { shorten }) => found ?? shorten?.(url) ?? null, null)
  return short === null ? href : withOwn(String(hrefOf(server, short)), own)
}

/** A page whose links are as short as features make them. */
export const withShortLinks = (page: Pick<PageRequest, 'server' | 'parts'>, text: string): string =>
  text.replace(longLinks, (href) => shortHref(page, href.replaceAll('&amp;', '&')).replaceAll('&', '&amp;'))

const longLinks = /(?<=(?: href| data-stream|name="-?back" value)=")[^"]{2000,}(?=")/g

/** The ways to pages of features. */
export const pagesOfParts = (parts: readonly PagePart[], basePath: string): NonNullable<Reader['links']> =>
  parts.flatMap(({ own = {} }) =>
    Object.entries(own).map(([name, { title }]) => ({
      title: titleTold(title),
      href: `${basePath}${ownPath}/${name}`,
    })),
  )

interface OnRecord {
  readonly showing: Showing
  readonly forms: RecordForms
}

/** What the application shows below the details of a resource; null for nothing. */
export async function blockHtml(browsed: PageRequest, on: OnRecord): Promise<Content> {
  const block = pagesOf(browsed.server).look.blocks?.[on.forms.schema.type]
  return block ? toContent((await block(recordOf(browsed, on))) ?? null) : null
}

/** What a feature tells of a resource, at a tab of its own; null for nothing. */
export const partHtml = async (part: PagePart, browsed: PageRequest, on: OnRecord): Promise<Content> =>
  toContent((await part.resource?.(recordOf(browsed, on))) ?? null)

/** The way back from the last change of a resource, as far as a feature knows what it was. */
export async function undoHtml(browsed: PageRequest, on: OnRecord): Promise<Content> {
  for (const { undo } of browsed.parts) {
    const content = await undo?.(recordOf(browsed, on))
    if (content) return toContent(content)
  }
  return null
}

/** A record as features see it, which may offer its reader to give fields the values that they had. */
function recordOf(browsed: PageRequest, { showing, forms }: OnRecord): ResourcePage {
  const { path, etag, seal, document } = browsed
  const { writer, shown, schema, resource, mayUpdate } = forms
  const version = etag?.startsWith('"') ? etag : null
  const fields = memoized(async () =>
    mayUpdate ? (await editForm(writer, { kind: 'update', schema, id: resource.id }, shown)).fields : [],
  )
  return {
    ...pageOf(writer, { browsed, showing }),
    resource: document.data as ResourceObject,
    async revert(values, { button = words.restore, links = {} } = {}) {
      const all = await fields()
      const lists = Object.entries(links).map(([name, { linked, unlinked }]) => {
        const held = [all.find((field) => field.name === name)?.value ?? []].flat().map(String)
        return [name, [...held.filter((id) => !linked.includes(id)), ...unlinked]] as const
      })
      const whole = { ...values, ...Object.fromEntries(lists) }
      return fromContent(revertForm(all, whole, { path, seal, version, button }))
    },
  }
}

function memoized<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}

async function contentOf(part: PagePart, page: Page, { operation, document }: PageRequest): Promise<PageContent> {
  const { data } = document
  if (operation?.kind === 'view' && !Array.isArray(data))
    return part.resource?.({ ...page, resource: data, revert: async () => null } as ResourcePage)
  if (operation?.kind === 'viewAny' && Array.isArray(data))
    return part.collection?.({ ...page, resources: data } as CollectionPage)
  return null
}

/** A page of the application; null for nothing. */
export async function ownContent({ content }: OwnPage, caller: Caller): Promise<Content> {
  const { ctx, api } = caller
  const showing: Showing = { server: ctx.server, api, beside: pageDataFrom([]) }
  return toContent(
    (await content(pageOf(caller, { browsed: { operation: null, server: ctx.server }, showing }))) ?? null,
  )
}

interface About {
  readonly browsed: Pick<PageRequest, 'operation' | 'server'>
  readonly showing: Showing
}

function pageOf(caller: Caller, { browsed: { operation, server }, showing }: About): Page {
  const { ctx, api } = caller
  const urlOf: Page['urlOf'] = ({ type }, query) => `${server.basePath}/${type}${withParameters('', query)}`
  return {
    user: ctx.user,
    schema: operation?.schema as Page['schema'],
    typeOf: (model) => api.schemas.byModel.get(model) ?? null,
    html: (around, ...gaps) => html(around, ...gaps.map(toContent)),
    value: (value, attribute) => fromContent(valueHtml(value, attribute, { isCell: true })),
    title: titleOf,
    urlOf,
    async list(schema, { query, most }) {
      const asked = server.schemas.byType.get(schema.type)
      if (!asked || !api.audience.has(`${schema.type}.viewAny`)) return []
      const search = new URLSearchParams({ ...query, ...firstPage(asked, most) })
      const document = await answerTo(ctx, { kind: 'viewAny', schema: asked }, search)
      const data = document && Array.isArray(document.data) ? (document.data as readonly ResourceObject[]) : []
      return data.slice(0, most)
    },
    async names(identifiers) {
      const beside = pageDataFrom(await readLabels(caller, identifiers))
      return {
        isKnown: (identifier: Identifier) => beside.attributesOf(identifier) !== null,
        link: (identifier: Identifier) => named({ ...showing, beside }, identifier),
      }
    },
  }
}

// Features know what they get as opaque: it is what `html` of pages made, or text.
const toContent = (content: PageContent): Content => content as Content
const fromContent = (content: Content): PageContent => content as PageContent
