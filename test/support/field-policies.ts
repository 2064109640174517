import { Policy, type Rules, type Server, type User } from 'prismapi'
import V2 from '../../src/app/v2/server.ts'
import { exampleWith, theExample } from './servers.ts'

// Rules about fields, for the tests of them: of columns, of relations, of conditions that memory and that only the database judges.

/** The address is seen by its user and by administrators, the role by who is signed in; the posts of member 4 by member 4 alone. */
class UserPolicy extends Policy<'User'> {
  override abilities({ can, cannot }: Rules<'User'>, user: User | null) {
    can(this.reads)
    can('create')
    if (user) can('update', { id: user.id })
    if (user?.role === 'ADMIN') {
      can(['update', 'delete'])
      return
    }
    cannot('view', ['email', 'role'])
    cannot('view', 'posts', { id: 4 })
    cannot('update', ['email', 'createdAt'])
    if (!user) return
    can('view', 'role')
    can('view', ['email', 'posts'], { id: user.id })
  }
}

/**
 * What is secret is read by who commented on it, and its title by its author; who wrote a post of member 5 is nobody's business. What
 * is sealed has a synopsis and tags that its author neither sees nor changes.
 */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>, user: User | null) {
    can(this.reads)
    if (!user) {
      cannot('view', ['synopsis', 'content', 'tags'])
      return
    }
    can('create')
    can(this.writes, { authorId: user.id })
    if (user.role === 'ADMIN') return
    cannot('view', ['content', 'title'], { slug: { startsWith: 'secret' } })
    can('view', 'title', { authorId: user.id })
    can('view', ['content', 'title'], { comments: { some: { authorId: user.id } } })
    cannot('view', ['author', 'synopsis'], { authorId: 5 })
    cannot(['view', 'update'], ['synopsis', 'tags'], { slug: { startsWith: 'sealed' } })
    cannot('update', ['slug', 'tags'])
    cannot('create', 'synopsis')
  }
}

/** The posts of a sealed tag are only administrators'. */
class TagPolicy extends Policy<'Tag'> {
  override abilities({ can, cannot }: Rules<'Tag'>, user: User | null) {
    can(this.reads)
    if (user?.role === 'ADMIN') can(['create', this.writes])
    else cannot('view', 'posts', { name: { startsWith: 'sealed' } })
  }
}

/** Figures of a short film are its owner's, who changes all but whether it is featured. */
class VideoPolicy extends Policy<'Video'> {
  override abilities({ can, cannot }: Rules<'Video'>, user: User | null) {
    can(this.reads)
    if (user?.role === 'ADMIN') return
    if (user) can('update', { ownerId: user.id })
    cannot('update', 'featured')
    cannot('view', ['rating', 'featured'], { durationSeconds: { lt: 130 } })
    if (user) can('view', 'rating', { ownerId: user.id })
  }
}

/** The second server, which everything below is read from by Prisma Client. */
export class ByPrisma extends V2 {
  override readonly reads = 'prisma'
}

const policiesOfFields = { User: UserPolicy, Post: PostPolicy, Tag: TagPolicy, Video: VideoPolicy }

/** The fields that they hide. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  User: ['email', 'role', 'posts'],
  Post: ['author', 'title', 'content', 'synopsis', 'tags'],
  Tag: ['posts'],
  Video: ['rating', 'featured'],
}

type AnyPolicyClass = new () => {
  abilities(rules: { can(action: string, fields: readonly string[]): void }, user: unknown): void
}

/** The same policy, but all fields are seen. */
const showing = (model: string, Own: AnyPolicyClass): AnyPolicyClass =>
  class extends Own {
    override abilities(rules: Parameters<InstanceType<AnyPolicyClass>['abilities']>[0], user: unknown): void {
      super.abilities(rules, user)
      rules.can('view', hidden[model] as readonly string[])
    }
  }

/** The server of that name, which lets write what `fieldServers` does, and hides no field. */
export async function openServers(server: new () => Server) {
  const { policies, servers } = await exampleWith(server)
  const own = Object.entries(policiesOfFields).map(([model, each]) => [model, showing(model, each as never)] as const)
  return { servers, policies: new Map([...policies, ...own]) as typeof policies }
}

/** The example with these policies: both of its servers, or one that has the name of one of them. */
export async function fieldServers(server?: new () => Server) {
  const { policies, servers } = await theExample()
  const own = Object.entries(policiesOfFields)
  return { ...(server ? await exampleWith(server) : { servers }), policies: new Map([...policies, ...own]) }
}
