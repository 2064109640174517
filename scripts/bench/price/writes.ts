import { answerOf, busyMember, type Served } from './served.ts'
import type { Seen, Watched } from './watched.ts'

interface Write {
  readonly name: string
  readonly method: string
  /** Below the origin. */
  readonly path: string
  readonly body?: unknown
  readonly mediaType?: string
}

const linkage = 1000
const operations = 100
/** More of them would cost too much: each costs 120, and the operation 20. */
const identifiersOfOperation = Math.floor((1_000_000 / operations - 20) / 120) - 1
const atomic = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

const identifiers = (type: string, from: number, count = linkage) =>
  Array.from({ length: count }, (_, i) => ({ type, id: String(from + i) }))

/** The writes of the busy member that change, look at, or name as much as the limits allow, of skewed rows. */
function worstWrites(video: string): readonly Write[] {
  const posts = Array.from({ length: operations }, (_, i) => busyMember + i)
  const ofPosts = (op: string, count: number) =>
    posts.map((id) => ({
      op,
      ref: { type: 'posts', id: String(id), relationship: 'tags' },
      data: identifiers('tags', 10_000, count),
    }))
  const written = (name: string, path: string, attributes: object, relationships: object) => ({
    name,
    method: 'POST',
    path,
    body: { data: { type: 'posts', attributes, relationships } },
  })
  return [
    {
      name: 'a post gets as many tags as a document may name',
      method: 'PATCH',
      path: '/api/v1/posts/40/relationships/tags',
      body: { data: identifiers('tags', 100) },
    },
    {
      name: 'tags are taken from a post, one thousand of all',
      method: 'DELETE',
      path: '/api/v1/posts/3/relationships/tags',
      body: { data: identifiers('tags', 100) },
    },
    {
      name: 'a post loses all tags there are',
      method: 'PATCH',
      path: '/api/v1/posts/3/relationships/tags',
      body: { data: [] },
    },
    written(
      'a post is made that is as long as a body may be',
      '/api/v1/posts',
      { title: 'Long', slug: 'as-long-as-a-body', content: 'a'.repeat(900_000) },
      { tags: { data: identifiers('tags', 100) } },
    ),
    {
      name: 'a post loses half of all comments',
      method: 'PATCH',
      path: '/api/v1/posts/3/relationships/comments',
      body: { data: [] },
    },
    {
      name: 'a post gets a thousand comments',
      method: 'POST',
      path: '/api/v1/posts/3/relationships/comments',
      body: { data: identifiers('comments', 160_000) },
    },
    ...['posts', 'comments', 'videos'].map((type) => ({
      name: `a member loses half of all ${type}`,
      method: 'PATCH',
      path: `/api/v1/users/${busyMember}/relationships/${type}`,
      body: { data: [] },
    })),
    {
      name: 'a member is changed with all that belongs to them',
      method: 'PATCH',
      path: `/api/v1/users/${busyMember}`,
      body: {
        data: {
          type: 'users',
          id: String(busyMember),
          relationships: { posts: { data: [] }, comments: { data: [] }, videos: { data: [] } },
        },
      },
    },
    { name: 'a video with all tags goes', method: 'DELETE', path: `/api/v1/videos/${video}` },
    {
      name: 'a hundred posts get as many tags as the limits allow',
      method: 'POST',
      path: '/api/v2/operations',
      mediaType: atomic,
      body: { 'atomic:operations': ofPosts('add', identifiersOfOperation) },
    },
    {
      name: 'a hundred posts lose their tags, ten of them all there are',
      method: 'POST',
      path: '/api/v2/operations',
      mediaType: atomic,
      body: { 'atomic:operations': ofPosts('update', 0) },
    },
    {
      name: 'a hundred members lose what belongs to one',
      method: 'POST',
      path: '/api/v2/operations',
      mediaType: atomic,
      body: {
        'atomic:operations': posts.map(() => ({
          op: 'update',
          ref: { type: 'users', id: String(busyMember), relationship: 'posts' },
          data: identifiers('posts', 3, 3),
        })),
      },
    },
  ]
}

/** Sends them one after the other, each once, and tells what each did to the server. */
export async function sendWorst({ origin, during }: Watched, video: string): Promise<readonly Seen<number>[]> {
  const seen: Seen<number>[] = []
  // What the first write loads stays.
  await send(origin, { name: '', method: 'PATCH', path: '/api/v1/posts/41/relationships/tags', body: { data: [] } })
  for (const write of worstWrites(video)) {
    const each = await during(() => send(origin, write))
    const { answer, cpuMilliseconds, turnMilliseconds, delayMilliseconds, liveMilliseconds } = each
    console.log(
      `${answer}, ${cpuMilliseconds} ms of CPU, turn ${turnMilliseconds} ms, delay ${delayMilliseconds} ms, /live ${liveMilliseconds} ms: ${write.name}`,
    )
    seen.push(each)
  }
  return seen
}

async function send(origin: string, { method, path, body, mediaType }: Write): Promise<number> {
  const { status } = await answerOf(origin + path, {
    method,
    caller: 'member',
    ...(mediaType && { mediaType }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return status
}

/** The id of the video that has all tags. */
export async function taggedVideo({ writer }: Served['clients']): Promise<string> {
  const { id } = await writer.video.findFirstOrThrow({
    where: { ownerId: busyMember },
    orderBy: { id: 'asc' },
    select: { id: true },
  })
  return id
}
