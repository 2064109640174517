import { Schema } from 'prismapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { browserAccept, formIn } from '../../support/pages.ts'
import { useServers } from '../../support/servers.ts'

// A text column can be the key, and a text can have commas, which stand between ids in a form and in a filter.

class CommentSchema extends Schema<'Comment'> {
  override fields() {
    return [this.relation('video').groupable()]
  }
}
const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [openServer('commas', { Comment: CommentSchema, Tag: Schema<'Tag'>, Video: Schema<'Video'> })],
}))
const pageOf = async (path: string) => (await fetch(servers.at + path, { headers: { Accept: browserAccept } })).text()
const ids = ['one,two', 'one', 'two\\', 'three\\,four'] as const
let tag: number

beforeAll(async () => {
  for (const id of ids) {
    await servers.db.video.create({ data: { id, title: `Film ${id}`, url: 'https://videos.example.com/commas' } })
    await servers.db.comment.create({ data: { content: 'Well.', authorId: users.member3, videoId: id } })
  }
  tag = (await servers.db.tag.create({ data: { name: 'commas' } })).id
})

describe('ids with commas', () => {
  const path = () => `/api/commas/tags/${tag}/relationships/videos`
  const held = async () => {
    const videos = await servers.db.video.findMany({ where: { tags: { some: { id: tag } } }, orderBy: { id: 'asc' } })
    return videos.map(({ id }) => id)
  }
  /** Sends a form of the page without a script, as it is or with other ids. */
  const send = async (form: string, list?: string) => {
    const { action, fields } = formIn(await pageOf(path()), form)
    const { status } = await fetch(servers.at + action, {
      method: 'POST',
      redirect: 'manual',
      headers: { Accept: browserAccept, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ ...fields, ...(list !== undefined && { 'many videos:/data': list }) }),
    })
    return { status, held: await held() }
  }

  test('are written with a backslash before the comma, and replaced by themselves', async () => {
    await servers.db.tag.update({
      where: { id: tag },
      data: { videos: { connect: [{ id: 'one,two' }, { id: 'two\\' }] } },
    })
    expect(formIn(await pageOf(path()), 'replace').fields['many videos:/data']).toBe('one\\,two, two\\\\')
    expect(await send('replace')).toEqual({ status: 303, held: ['one,two', 'two\\'] })
    expect(await send('links-held')).toEqual({ status: 303, held: ['two\\'] })
    expect(await send('replace', 'one, three\\\\\\,four,')).toEqual({ status: 303, held: ['one', 'three\\,four'] })
  })

  test('are called by their labels', async () => {
    const text = await pageOf('/api/commas/comments/-stats?groupBy=video')
    const labels = [...text.matchAll(/>(Film [^<]*)</g)].map(([, label]) => label)
    expect(labels).toEqual(expect.arrayContaining(ids.map((id) => `Film ${id}`)))
  })
})
