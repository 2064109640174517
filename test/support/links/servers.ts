import { type ModelName, Policy, type RowOf, type Rules, Server, type Serving, type User } from 'prismapi'
import type { RequestClasses } from 'prismapi/rules'
import type { PolicyClass, SchemaClass } from 'prismapi/types'
import { plain, type useServers } from '../servers.ts'

// Servers on which everybody changes their own user, posts, videos and comments, and nobody else's. No request class and no schema class
// says more.

export class UserPolicy extends Policy<'User'> {
  override abilities({ can }: Rules<'User'>, user: User | null) {
    can([this.reads, 'create'])
    if (user) can(this.writes, { id: user.id })
  }
}

class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can([this.reads, 'create'])
    if (user) can(['update', 'delete'], { authorId: user.id })
    cannot('update', { slug: { startsWith: 'final' } }).because('A final post stays as it is.')
  }
}

/** A method. */
class VideoPolicy extends Policy<'Video'> {
  override abilities({ can }: Rules<'Video'>) {
    can([this.reads, 'create'])
  }

  override update(user: User | null, video: RowOf<'Video'>) {
    return video.ownerId === null || video.ownerId === user?.id
  }
}

/** By what only the database can tell. */
class CommentPolicy extends Policy<'Comment'> {
  override abilities({ can }: Rules<'Comment'>, user: User | null) {
    can([this.reads, 'create'])
    if (user) can('update', { author: { is: { email: { contains: `user${user.id}@` } } } })
  }
}

class ProfilePolicy extends Policy<'Profile'> {
  override abilities({ can }: Rules<'Profile'>, user: User | null) {
    can([this.reads, 'create'])
    if (user) can('update', { userId: user.id })
  }
}

type Policies = Partial<Record<ModelName, PolicyClass>>

interface LinkServer {
  readonly models?: readonly ModelName[]
  readonly policies?: Policies
  readonly schemas?: Readonly<Partial<Record<ModelName, SchemaClass>>>
  readonly requests?: Readonly<Partial<Record<ModelName, RequestClasses['request']>>>
  readonly serving?: (phase: Serving) => void
  readonly version?: '1.0' | '1.1'
  readonly showsCan?: boolean
  readonly viewEverywhere?: boolean
}

export const ownPolicies: Policies = {
  User: UserPolicy,
  Post: PostPolicy,
  Video: VideoPolicy,
  Comment: CommentPolicy,
  Profile: ProfilePolicy,
}

/** Parts of an application with one server, at `/api/v1`. */
export function linkServers({
  models,
  policies = ownPolicies,
  schemas = {},
  requests = {},
  serving,
  version = '1.1',
  showsCan = false,
  viewEverywhere = false,
}: LinkServer = {}) {
  class V1 extends Server {
    override readonly name = 'v1'
    override readonly version = version
    override readonly showsCan = showsCan
    override readonly viewEverywhere = viewEverywhere
    override readonly models = models ?? (['User', 'Post', 'Video', 'Comment', 'Profile'] as ModelName[])

    override serving(phase: Serving) {
      serving?.(phase)
    }
  }
  const classes = Object.entries(requests).map(([model, request]) => {
    return [model, { request, query: null, collectionQuery: null }] as const
  })
  return {
    policies: new Map(Object.entries(policies)),
    servers: [plain(V1, { schemas: new Map(Object.entries(schemas)), requests: new Map(classes) })],
  }
}

type Api = ReturnType<typeof useServers>

/** A user of the test's own, who can sign in. */
export async function makeUser({ db }: Api, name: string): Promise<number> {
  const { id } = await db.user.create({ data: { name, email: `${name}@example.com`, passwordHash: 'x' } })
  await db.user.update({ where: { id }, data: { email: `user${id}@example.com` } })
  return id
}

export async function makePost({ db }: Api, authorId: number, slug: string) {
  return db.post.create({ data: { title: slug, slug, content: 'C', authorId } })
}

export const makeVideo = ({ db }: Api, ownerId: number | null, title: string) =>
  db.video.create({ data: { title, url: 'https://videos.example/1', ownerId } })

export const link = (type: string, ...ids: readonly (number | string)[]) => ({
  data: ids.map((id) => ({ type, id: String(id) })),
})

export const toOneLink = (type: string, id: number | string | null) => ({
  data: id === null ? null : { type, id: String(id) },
})

/** A 403 that points at a link. */
export const linkRefused = (detail: string, pointer: string) => ({
  status: '403',
  title: 'Forbidden',
  detail,
  source: { pointer },
})
