import { json, ResourceRequest, Schema, string, unique } from 'prismapi'
import { describe, expect, test } from 'vitest'
import { expectErrors, invalid } from '../../support/answers.ts'
import { useApi, users } from '../../support/api.ts'
import { openServer } from '../../support/open-server.ts'
import { identifier } from '../../support/row-documents.ts'
import { useServers } from '../../support/servers.ts'

const api = useApi()

const post = (slug: string) => ({
  body: { data: { type: 'posts', attributes: { title: 'A post', slug, content: 'Text.' } } },
})
const taken = (field: string) => invalid('unique', `The ${field} has already been taken.`, `/data/attributes/${field}`)

describe('a race for one value has one winner, and all others are refused at its pointer:', () => {
  test('20 new posts with one slug, of eight members', async () => {
    const members = Array.from({ length: 20 }, (_, i) => 3 + (i % 8))
    const before = await api.db.post.count()
    const answers = await Promise.all(members.map((id) => api.as(id).post('/posts', post('wanted-by-all'))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)])
    for (const answer of answers) if (answer.status === 422) expectErrors(answer, taken('slug'))
    expect(await api.db.post.count()).toBe(before + 1)
  })

  test('20 posts that take one slug', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const data = { type: 'posts', id: String(i + 1), attributes: { slug: 'taken-by-one' } }
        return api.as(users.admin).patch(`/posts/${i + 1}`, { body: { data } })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)])
    for (const answer of answers) if (answer.status === 422) expectErrors(answer, taken('slug'))
    expect(await api.db.post.count({ where: { slug: 'taken-by-one' } })).toBe(1)
  })
})

describe('a row that the caller cannot see is in the way, too:', () => {
  test('a post in the bin keeps its slug', async () => {
    await api.db.post.update({ where: { id: 31 }, data: { deletedAt: new Date() } })
    expectErrors(await api.as(users.admin).post('/posts', post('post-31')), taken('slug'))
    const data = { type: 'posts', id: '1', attributes: { slug: 'post-31' } }
    expectErrors(await api.as(users.admin).patch('/posts/1', { body: { data } }), taken('slug'))
  })

  test('the draft of another', async () => {
    // Post 40 is a draft of member 3.
    expectErrors(await api.as(users.member4).post('/posts', post('post-40')), taken('slug'))
  })
})

// Rules of a test's own: there is no unique relation that the example lets anybody write.

class ProfileRequest extends ResourceRequest<'Profile'> {
  override rules() {
    return { bio: string().test(unique('website')), website: string(), user: json().test(unique()) as never }
  }
}
class Unruled extends ResourceRequest<'Tag'> {
  override rules() {
    return { name: string().required() }
  }
  override messages() {
    return { 'name.unique': 'There is a :attribute like that.' }
  }
}

const servers = useServers(() => ({
  policies: new Map(),
  servers: [
    openServer(
      'own',
      { Profile: Schema, User: Schema, Tag: Schema },
      { requests: { Profile: { request: ProfileRequest }, Tag: { request: Unruled } } },
    ),
  ],
}))
const ask = (method: string, path: string, data: object) =>
  servers.as(null)(method, `/api/own${path}`, { body: { data } })

describe('unique', () => {
  test('with another field: only both together are taken', async () => {
    const profile = (id: string, attributes: object) =>
      ask('PATCH', `/profiles/${id}`, { type: 'profiles', id, attributes })
    expect((await profile('1', { bio: 'Same', website: 'https://a.example' })).status).toBe(200)
    expect((await profile('2', { bio: 'Same', website: 'https://b.example' })).status).toBe(200)
    expectErrors(
      await profile('2', { website: 'https://a.example' }),
      invalid('unique', 'The website has already been taken.', '/data/attributes/website'),
    )
    expectErrors(await profile('3', { bio: 'Same', website: 'https://b.example' }), taken('bio'))
  })

  test('of a relationship points to the relationship', async () => {
    const data = { type: 'profiles', id: '2', relationships: { user: { data: identifier('users', 3) } } }
    expectErrors(
      await ask('PATCH', '/profiles/2', data),
      invalid('unique', 'The user has already been taken.', '/data/relationships/user'),
    )
  })

  test('found by the database where no rule asked has the message of the class', async () => {
    expectErrors(
      await ask('POST', '/tags', { type: 'tags', attributes: { name: 'tag-2' } }),
      invalid('unique', 'There is a name like that.', '/data/attributes/name'),
    )
  })
})
