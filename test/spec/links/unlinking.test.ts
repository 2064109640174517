import { Policy, type Rules } from 'prismapi'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectErrorsOf11, expectNothing } from '../../support/answers.ts'
import {
  link,
  linkRefused,
  linkServers,
  makePost,
  makeUser,
  makeVideo,
  ownPolicies,
  toOneLink,
} from '../../support/links/servers.ts'
import { useServers } from '../../support/servers.ts'

// Everybody writes every user. Their posts, videos and profiles are their own all the same.

class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>) {
    can([this.reads, 'create', this.writes])
  }
}

const api = useServers(() => linkServers({ policies: { ...ownPolicies, User: UserPolicy } }))

let ann: number
let ben: number
beforeAll(async () => {
  ann = await makeUser(api, 'ann')
  ben = await makeUser(api, 'ben')
})

let count = 0
let annsPost: string
let annsVideo: string
let bensVideo: string
beforeEach(async () => {
  count++
  await api.db.video.deleteMany({ where: { ownerId: { in: [ann, ben] } } })
  annsPost = String((await makePost(api, ann, `ann-${count}`)).id)
  annsVideo = (await makeVideo(api, ann, `ann-${count}`)).id
  bensVideo = (await makeVideo(api, ben, `ben-${count}`)).id
})

const owners = async () =>
  Object.fromEntries((await api.db.video.findMany()).map(({ id, ownerId }) => [id, ownerId] as const))
const videosOf = (id: number) => `/api/v1/users/${id}/relationships/videos`
const owner = (id: string) => `You may not change the owner of videos ${id}.`

/** The answer of a request that writes nothing. */
async function unwritten<T>(work: () => Promise<T>): Promise<T> {
  const before = [await owners(), await api.db.post.findMany(), await api.db.user.findMany()]
  const answer = await work()
  expect([await owners(), await api.db.post.findMany(), await api.db.user.findMany()]).toEqual(before)
  return answer
}

describe('a video of another', () => {
  test('is not taken away by DELETE, at the place of its identifier', async () => {
    const body = link('videos', bensVideo, annsVideo)
    expectErrorsOf11(
      await unwritten(() => api.as(ben)('DELETE', videosOf(ann), { body })),
      linkRefused(owner(annsVideo), '/data/1'),
    )
  })

  test('is not taken away by being left out, at the place of the relationship', async () => {
    const body = link('videos')
    expectErrorsOf11(
      await unwritten(() => api.as(ben)('PATCH', videosOf(ann), { body })),
      linkRefused(owner(annsVideo), '/data'),
    )
    const document = { data: { type: 'users', id: String(ann), relationships: { videos: link('videos', bensVideo) } } }
    expectErrorsOf11(
      await unwritten(() => api.as(ben)('PATCH', `/api/v1/users/${ann}`, { body: document })),
      linkRefused(owner(annsVideo), '/data/relationships/videos'),
    )
  })

  test('stays as it is where it is linked already', async () => {
    await api.db.video.update({ where: { id: bensVideo }, data: { ownerId: null } })
    expectNothing(await api.as(ben)('POST', videosOf(ann), { body: link('videos', annsVideo, bensVideo) }))
    expect(await owners()).toMatchObject({ [annsVideo]: ann, [bensVideo]: ann })
    const { status } = await api.as(ben)('PATCH', videosOf(ann), { body: link('videos', bensVideo, annsVideo) })
    expect([status, await owners()]).toMatchObject([200, { [annsVideo]: ann, [bensVideo]: ann }])
  })

  test('is taken away by its owner, by whatever end', async () => {
    expectNothing(await api.as(ann)('DELETE', videosOf(ann), { body: link('videos', annsVideo) }))
    expect((await owners())[annsVideo]).toBe(null)
    const { status } = await api.as(ben)('PATCH', videosOf(ben), { body: link('videos') })
    expect([status, (await owners())[bensVideo]]).toEqual([200, null])
  })

  test('is left alone by DELETE of a link that there is not', async () => {
    expectNothing(await api.as(ben)('DELETE', videosOf(ben), { body: link('videos', annsVideo) }))
    expect((await owners())[annsVideo]).toBe(ann)
  })
})

test('what cannot be without its parent is refused as it was', async () => {
  const answer = await unwritten(() =>
    api.as(ann)('DELETE', `/api/v1/users/${ann}/relationships/posts`, { body: link('posts', annsPost) }),
  )
  expect([answer.status, answer.body.errors[0].detail]).toEqual([
    409,
    'The posts of the posts relation cannot be without it, so they cannot be detached.',
  ])
})

describe('the one profile of another', () => {
  test('is not taken, at the place of the relationship', async () => {
    const profile = await api.db.profile.create({ data: { userId: ann, bio: 'Ann' } })
    const detail = `You may not change the user of profiles ${profile.id}.`
    const relationships = { profile: toOneLink('profiles', profile.id) }
    const bodies = [
      [`/api/v1/users/${ben}/relationships/profile`, relationships.profile, '/data'],
      [
        `/api/v1/users/${ben}`,
        { data: { type: 'users', id: String(ben), relationships } },
        '/data/relationships/profile',
      ],
    ] as const
    for (const [url, body, at] of bodies)
      expectErrorsOf11(await unwritten(() => api.as(ben)('PATCH', url, { body })), linkRefused(detail, at))
    const body = {
      data: { type: 'users', attributes: { name: 'N', email: `profile-${count}@example.com` }, relationships },
    }
    expectErrorsOf11(
      await unwritten(() => api.as(ben)('POST', '/api/v1/users', { body })),
      linkRefused(detail, '/data/relationships/profile'),
    )
    // Ann hands it over.
    const { status } = await api.as(ann)('PATCH', `/api/v1/users/${ben}/relationships/profile`, {
      body: relationships.profile,
    })
    expect([status, (await api.db.profile.findUniqueOrThrow({ where: { id: profile.id } })).userId]).toEqual([200, ben])
  })
})

test('the policy of the relation is asked first, as ever', async () => {
  const answer = await api.as(null)('DELETE', videosOf(ann), { body: link('videos', annsVideo) })
  expect(answer.status).toBe(403)
  expectErrorsOf11(answer, linkRefused(owner(annsVideo), '/data/0'))
  expectErrorsOf11(
    await api.as(ben)('DELETE', '/api/v1/users/999999/relationships/videos', { body: link('videos', annsVideo) }),
    { status: '404', title: 'Not Found' },
  )
})
