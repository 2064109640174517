import { integer, ResourceRequest, type RowOf, Schema, string } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrors, expectNothing, invalid, missing } from '../../support/answers.ts'
import { openServer } from '../../support/open-server.ts'
import { useServers } from '../../support/servers.ts'
import { snapshot } from '../../support/snapshot.ts'

class Deleting extends ResourceRequest<'Tag'> {
  override messages() {
    return { 'name.max': 'of the resource', 'meta.posts.max': 'of the resource' }
  }
  override attributes() {
    return { name: 'label', 'meta.videos': 'number of films' }
  }
  override deleteRules() {
    return { name: string().max(4), 'meta.posts': integer().max(0), 'meta.videos': integer().max(0) }
  }
  override async metaForDelete({ id }: RowOf<'Tag'>) {
    return {
      posts: await this.count('Post', { tags: { some: { id } } }),
      videos: await this.count('Video', { tags: { some: { id } } }),
    }
  }
  override deleteMessages() {
    return { 'meta.posts.max': 'A tag of posts stays.', 'name.max': 'The :attribute is worth more than :max letters.' }
  }
  override deleteAttributes() {
    return { name: 'word' }
  }
}

class Worded extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required().min(3, 'Longer, please.').max(8).lowercase() }
  }
  override messages() {
    return { 'name.max': 'A :attribute has at most :max letters.', required: ':attribute!' }
  }
  override attributes() {
    return { name: 'label' }
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: Object.entries({ deleting: { Tag: Deleting }, worded: { Tag: Worded } }).map(([name, classes]) =>
    openServer(
      name,
      { Post: Schema, Tag: Schema, User: Schema, Video: Schema, Comment: Schema },
      { requests: Object.fromEntries(Object.entries(classes).map(([model, request]) => [model, { request }])) },
    ),
  ),
}))

const ask = (method: string, path: string, data?: unknown) =>
  servers.as(null)(method, `/api/${path}`, data === undefined ? {} : { body: { data } })

const anyVideo = async () => (await servers.db.video.findFirstOrThrow()).id

describe('deletion', () => {
  const refused = (code: string, detail: string) => ({ status: '422', code, title: 'Not Deletable', detail })

  test('is refused with a message for each failed rule: those of deletion before those of the resource', async () => {
    await servers.db.tag.create({
      data: { id: 90, name: 'valuable', posts: { connect: { id: 1 } }, videos: { connect: { id: await anyVideo() } } },
    })
    const before = await snapshot(servers.db)
    expectErrors(
      await ask('DELETE', 'deleting/tags/90'),
      refused('max', 'The word is worth more than 4 letters.'),
      refused('max', 'A tag of posts stays.'),
      refused('max', 'The number of films field must not be greater than 0.'),
    )
    expect(await snapshot(servers.db)).toEqual(before)
  })

  test('is done when all its rules pass', async () => {
    await servers.db.tag.create({ data: { id: 91, name: 'idle' } })
    expectNothing(await ask('DELETE', 'deleting/tags/91'))
    expect(await servers.db.tag.count({ where: { id: 91 } })).toBe(0)
  })

  test('is allowed without rules', async () => {
    await servers.db.tag.create({ data: { id: 92, name: 'without rules', posts: { connect: { id: 1 } } } })
    expectNothing(await ask('DELETE', 'worded/tags/92'))
    expect(await servers.db.tag.count({ where: { id: 92 } })).toBe(0)
  })
})

describe('the words of an error are', () => {
  const at = '/data/attributes/name'

  test.each([
    [
      'the class’s for the field and rule, with its name and the parameters',
      'a very long name',
      invalid('max', 'A label has at most 8 letters.', at),
    ],
    ['the class’s for the rule', '', invalid('required', 'label!', at)],
    ['those written in the rule', 'ab', invalid('min', 'Longer, please.', at)],
    ['ours, with the class’s name', 5, invalid('string', 'The label field must be a string.', at)],
  ])('%s', async (_, name, error) => {
    expectErrors(await ask('POST', 'worded/tags', { type: 'tags', attributes: { name } }), error)
  })

  test('the class’s for a field that was left out as well', async () => {
    expectErrors(await ask('POST', 'worded/tags', { type: 'tags' }), { ...missing('name'), detail: 'label!' })
  })
})
