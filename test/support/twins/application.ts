import { deny, integer, type LazyToMany, Policy, Schema, Server, type Serving } from 'prismapi'
import { CursorPagination, CursorProfilePagination } from 'prismapi/cursor-pagination'
import type { ServerParts } from 'prismapi/types'

// The application of `test/fixtures/twins.prisma`. Nobody sees a row that is veiled, or that belongs to one.

/** By which means the application hides rows. */
export type Means = 'scopes' | 'rules'

type Who = { readonly id: number; readonly role: string } | null
// Its models are none of the example's, whose names TypeScript knows.
// biome-ignore lint/suspicious/noExplicitAny: rows, conditions and fields of models that TypeScript does not know
type Any = any
type Base = new () => Any
const OwnSchema = Schema as unknown as Base
const OwnPolicy = Policy as unknown as Base

const unveiled = { veiled: false }
const noneOr = (relation: string, where: object = unveiled) => ({
  OR: [{ [relation]: { is: null } }, { [relation]: { is: where } }],
})
const docs = { ...unveiled, AND: [noneOr('team'), noneOr('place')] }

/** Which rows there are for callers, whoever they are. */
export const visible: Readonly<Record<string, object>> = {
  User: unveiled,
  Team: unveiled,
  Place: unveiled,
  Tag: unveiled,
  Mark: unveiled,
  Membership: { ...unveiled, user: { is: unveiled }, team: { is: unveiled } },
  Doc: docs,
  Remark: { ...unveiled, AND: [noneOr('team'), noneOr('doc', docs)] },
}

/** Drafts are there for their authors and for editors: in both of the twins. */
function visibleTo(user: Who, model: string): object {
  const there = visible[model] as object
  if (model !== 'Doc' || user?.role === 'EDITOR') return there
  const published = { publishedAt: { lte: new Date() } }
  return { AND: [there, user ? { OR: [published, { authorId: user.id }] } : published] }
}

const schemas: Readonly<Record<string, Base>> = {
  User: class extends OwnSchema {
    fields() {
      return [
        this.attribute('email').asReadOnly(),
        this.attribute('role').groupable(),
        this.attribute('pin').aggregatable().groupable(),
        this.relation('docs').countable(),
        this.relation('remarks').countable(),
      ]
    }
  },
  Team: class extends OwnSchema {
    fields() {
      return [this.relation('docs').countable().alwaysShowData()]
    }
    sorts() {
      return [this.sort('busy', 'docs.count', 'name')]
    }
  },
  Membership: class extends OwnSchema {
    fields() {
      return [this.attribute('rank').aggregatable(), this.relation('team').groupable()]
    }
  },
  Doc: class extends OwnSchema {
    softDelete = 'deletedAt'
    defaultPagination = { size: '5' }
    fields() {
      return [
        this.attribute('slug').singular(),
        this.attribute('price').aggregatable(),
        this.attribute('size').aggregatable(),
        this.attribute('publishedAt').aggregatable().groupable(),
        this.attribute('open').groupable(),
        this.relation('author').groupable(),
        this.relation('team').groupable(),
        this.relation('tags').countable(),
        this.relation('remarks').countable(),
      ]
    }
    filters() {
      const discussed = (is: boolean) => ({ remarks: { [is ? 'some' : 'none']: {} } })
      return [
        this.filter('tagged', { where: (name: string) => ({ tags: { some: { name } } }) }),
        this.filter('discussed', { kind: 'boolean', where: discussed }),
      ]
    }
    sorts() {
      return [
        this.sort('popular', 'remarks.count'),
        this.sort('writer', 'author.name'),
        this.sort('pinned', 'author.pin'),
      ]
    }
    actions() {
      return [
        this.action('grow', {
          rules: { by: integer() },
          handle: ({ row, input, save }: Any) => save('Doc', row, { size: (row.size ?? 0) + (input.by ?? 1) }),
        }),
        this.action('open', {
          on: 'collection',
          method: 'GET',
          handle: ({ list }: Any) => list('Doc', { open: true }),
        }),
      ]
    }
    pagination() {
      return new CursorProfilePagination().withTotal()
    }
  },
  Tag: class extends OwnSchema {
    fields() {
      return [this.relation('docs').countable(), this.attribute('name').groupable()]
    }
  },
  Remark: class extends OwnSchema {
    defaultPagination = { limit: '4' }
    fields() {
      return [
        this.morphTo('about', ['doc', 'team']),
        this.attribute('stars').aggregatable(),
        this.relation('author').groupable(),
      ]
    }
    pagination() {
      return new CursorPagination().withDefaultPerPage(4)
    }
  },
  Mark: class extends OwnSchema {
    fields() {
      const models = { doc: 'Doc', user: 'User', place: 'Place' }
      return [this.morphTo('owner', { type: 'ownerType', id: 'ownerId', models })]
    }
  },
}

/** Rules and methods of each model. Where rules hide rows, `view` is a rule of each; else methods decide about it, too. */
function policiesOf(means: Means, forgets: string | null): Readonly<Record<string, Base>> {
  const read = (model: string, self: Any, { can, cannot }: Any, user: Who) => {
    can(self.reads)
    if (means === 'scopes' || model === forgets) return
    cannot('view')
    can('view', visibleTo(user, model))
  }
  class UserPolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('User', this, rules, user)
      const { can, cannot } = rules
      cannot('view', ['email', 'pin'])
      if (!user) return
      can('view', ['email', 'pin'], { id: user.id })
      can(this.writes, { id: user.id })
    }
    delete(user: Who, row: Any) {
      return user?.role === 'EDITOR' && user.id !== row.id ? true : deny('Only editors remove others.')
    }
  }
  class TeamPolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('Team', this, rules, user)
      const { can } = rules
      if (user) can(['create', this.writes])
    }
    async attachDocs(user: Who, _team: Any, added: LazyToMany) {
      for await (const { authorId } of added) if (authorId !== user?.id) return deny('They are not all yours.')
      return user !== null
    }
  }
  class MembershipPolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('Membership', this, rules, user)
      const { can } = rules
      if (user) can('create')
    }
    update(user: Who, row: Any) {
      return user?.role === 'EDITOR' || user?.id === row.userId
    }
    delete(user: Who, row: Any) {
      return this.update(user, row)
    }
  }
  class PlacePolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('Place', this, rules, user)
      const { can } = rules
      if (user?.role === 'EDITOR') can(['create', this.writes])
    }
  }
  class DocPolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('Doc', this, rules, user)
      const { can } = rules
      can('open')
      if (!user) return
      can(['create', 'grow', 'viewTrashed'])
      const isMember = { team: { is: { memberships: { some: { userId: user.id } } } } }
      const where = user.role === 'EDITOR' ? {} : { OR: [{ authorId: user.id }, isMember] }
      can([this.writes, 'forceDelete'], where)
    }
    async updateTags(user: Who, doc: Any, tags: LazyToMany) {
      const all = await tags.collect()
      return user !== null && (user.role === 'EDITOR' || user.id === doc.authorId) && all.length < 3
    }
    async attachTags(user: Who, doc: Any, tags: LazyToMany) {
      for await (const { name } of tags) if (name === 'pick') return deny(`Only editors pick ${doc.id}.`)
      return user !== null
    }
  }
  class TagPolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('Tag', this, rules, user)
      const { can } = rules
      if (user) can(['create', 'updateDocs', 'attachDocs', 'detachDocs'])
      if (user?.role === 'EDITOR') can(this.writes)
    }
  }
  class RemarkPolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('Remark', this, rules, user)
      const { can } = rules
      if (user) can(['create', this.writes], {})
    }
  }
  /** What is below one star is its author's alone to look at closely. */
  class JudgedRemarkPolicy extends RemarkPolicy {
    async view(user: Who, { stars, authorId }: Any) {
      return stars === null || stars >= 1 || authorId === user?.id
    }
    async viewAbout(user: Who, row: Any) {
      return this.view(user, row)
    }
  }
  class MarkPolicy extends OwnPolicy {
    abilities(rules: Any, user: Who) {
      read('Mark', this, rules, user)
      const { can } = rules
      if (user) can(['create', this.writes])
    }
  }
  class ChangePolicy extends OwnPolicy {
    abilities({ can }: Any, user: Who) {
      if (user) can(this.reads)
    }
  }
  return {
    ...{ User: UserPolicy, Team: TeamPolicy, Membership: MembershipPolicy, Place: PlacePolicy, Doc: DocPolicy },
    ...{ Tag: TagPolicy, Mark: MarkPolicy, Change: ChangePolicy },
    Remark: means === 'scopes' ? JudgedRemarkPolicy : RemarkPolicy,
  }
}

/** The clocks of tests are not those of databases. */
const century = 100 * 366 * 86_400

/** The server, and the policies, of the application that hides rows by these means, but for those of a model that it forgets. */
export function twinApplication(means: Means, forgets: string | null) {
  class TwinServer extends Server {
    override readonly name = 'v1'
    override readonly version = '1.1'
    override readonly showsCan = true
    override readonly browsable = true
    override readonly viewEverywhere = means === 'rules'
    override readonly live = { trail: true, streamsPerCaller: 10_000, streams: 10_000, keep: century }

    override serving(phase: Serving): void {
      const scope = phase.scope.bind(phase) as (model: string, where: object) => void
      if (means === 'rules') return
      for (const model of Object.keys(visible)) if (model !== forgets) scope(model, visibleTo(phase.user, model))
    }
  }
  const server: ServerParts = {
    server: TwinServer,
    schemas: new Map(Object.entries(schemas)),
    authorizers: new Map(),
    requests: new Map(),
  }
  return { servers: [server], policies: new Map(Object.entries(policiesOf(means, forgets))) }
}
