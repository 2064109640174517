import type { Feature } from '@prismapi/core/api/feature'
import type { PagePart } from '@prismapi/core/server/page-part'
import { type ModelName, Server } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { addPost } from '../support/rows.ts'
import { plain, useServers } from '../support/servers.ts'

class V1 extends Server {
  override readonly name: string = 'v1'
  override readonly models: readonly ModelName[] = ['User', 'Post', 'Tag', 'Video', 'Comment']
  override readonly browsable: boolean = true
  override authorizable() {
    return false
  }
}

class Unseen extends V1 {
  override readonly name = 'unseen'
  override readonly browsable = false
}

const part: PagePart = {
  async resource({ html, resource, schema, value, names, list, title, urlOf }) {
    const author = { type: 'users', id: '1' }
    const { isKnown, link } = await names([author])
    const newest = await list(schema, { query: { sort: '-id' }, most: 1 })
    return html`<p data-part="${resource.type}">${title('publishedAt')}: ${value(true)}, ${isKnown(author) && 'by '}${link(author)}, ${newest.map(({ id }) => id)}, <a href="${urlOf(schema, { sort: 'id' })}">all</a>, ${resource.attributes?.title as string}</p>`
  },
  collection: ({ html, resources }) => html`<p data-part="list">${resources.length} & more</p>`,
}
const empty: PagePart = { resource: () => null }
const showing = (page: PagePart): Feature => ({ serve: () => () => ({ page }) })

const servers = { servers: [plain(V1), plain(Unseen)], policies: new Map() }
const api = useServers(() => ({ ...servers, features: [showing(part), showing(empty)] }))
const pageOf = async (path: string) => {
  const { status, text } = await api.as(null)('GET', path, { headers: { Accept: 'text/html' } })
  return { status, parts: [...text.matchAll(/<p data-part=.*?<\/p>/gs)].map(([found]) => found) }
}

describe('what a feature shows on pages', () => {
  let id: number
  beforeAll(async () => {
    ;({ id } = await addPost(api.db, { title: '<b>"bold"</b>' }))
  })

  test('stands on the page of a resource, and its text is escaped', async () => {
    const { status, parts } = await pageOf(`/api/v1/posts/${id}`)
    expect(status).toBe(200)
    expect(parts).toEqual([
      `<p data-part="posts">Published at: <span class="mark yes">yes</span>, by <a href="/api/v1/users/1">Admin</a>, ${id}, <a href="/api/v1/posts?sort=id">all</a>, &lt;b&gt;&quot;bold&quot;&lt;/b&gt;</p>`,
    ])
  })

  test('stands on the page of a collection', async () => {
    expect(await pageOf('/api/v1/tags?filter[id]=0')).toEqual({
      status: 200,
      parts: ['<p data-part="list">0 & more</p>'],
    })
  })

  test('stands on no other page', async () => {
    expect((await pageOf(`/api/v1/posts/${id}/comments`)).parts).toEqual([])
    expect((await pageOf('/api/v1/posts/0')).parts).toEqual([])
    expect((await pageOf(`/api/unseen/posts/${id}`)).parts).toEqual([])
  })
})
