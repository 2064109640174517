import type { CollectionPage, Page, PageContent, PagePart, ResourcePage } from '@prismapi/core/server/page-part'
import type { Identifier, ResourceObject } from '@prismapi/jsonapi/document/types'
import { answerTo } from './data/answer-to.ts'
import { firstPage } from './data/count-listed.ts'
import { pageDataFrom, readLabels } from './data/page-data.ts'
import type { Caller, PageRequest } from './data/page-request.ts'
import type { Showing } from './data/showing.ts'
import { type Content, html } from './html/html.ts'
import { withParameters } from './html/links.ts'
import { valueHtml } from './html/values.ts'
import { named } from './resource/relationships.ts'
import { titleOf } from './texts/words.ts'

/** What the features of a server show below the document, in the order of their list. */
export async function featureParts(browsed: PageRequest, showing: Showing): Promise<Content> {
  const { caller, operation, document, parts } = browsed
  const { data } = document
  if (!caller || !operation || !data || parts.length === 0) return null
  const contents: PageContent[] = []
  const page = pageOf(caller, { browsed, showing })
  for (const part of parts) contents.push(await contentOf(part, page, browsed))
  return toContent(contents)
}

async function contentOf(part: PagePart, page: Page, { operation, document }: PageRequest): Promise<PageContent> {
  const { data } = document
  if (operation?.kind === 'view' && !Array.isArray(data))
    return part.resource?.({ ...page, resource: data } as ResourcePage)
  if (operation?.kind === 'viewAny' && Array.isArray(data))
    return part.collection?.({ ...page, resources: data } as CollectionPage)
  return null
}

interface About {
  readonly browsed: PageRequest
  readonly showing: Showing
}

function pageOf(caller: Caller, { browsed: { operation, server }, showing }: About): Page {
  const { ctx, api } = caller
  const urlOf: Page['urlOf'] = ({ type }, query) => `${server.basePath}/${type}${withParameters('', query)}`
  return {
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
