import { Policy, type Rules, Schema, type Serving, type User } from 'prismapi'
import { describe, expect, test } from 'vitest'
import V1 from '../../../src/app/v1/server.ts'
import { expectErrors } from '../../support/answers.ts'
import { exampleWith, useServers } from '../../support/servers.ts'

// Three wishes that applications have of fields, on the models of the example. Members 3–6 are one customer, 7–10 another.

const isFirst = (user: User | null) => user !== null && user.id < 7

/** A helpdesk of several customers: posts are tickets, a synopsis is the note of the staff, which customers never see. */
class Tickets extends Policy<'Post', 'close'> {
  override abilities({ can, cannot }: Rules<'Post', 'close'>, user: User | null) {
    if (!user) return
    can([this.reads, 'create', 'update', 'close'])
    if (user.role === 'MEMBER') cannot(['view', 'create', 'update'], 'synopsis')
    // The date is the status of the ticket, which a manager changes, and whoever may close one does not by that.
    if (user.role !== 'ADMIN') cannot('update', 'publishedAt')
  }
}

/** What a website is there, is a salary here: for oneself and for the people of HR. */
class Salaries extends Policy<'Profile'> {
  override abilities({ can, cannot }: Rules<'Profile'>, user: User | null) {
    can(this.reads)
    cannot('view', 'website')
    if (user) can('view', 'website', { userId: user.id })
    if (user?.role === 'EDITOR') can('view')
  }
}

class TicketSchema extends Schema<'Post'> {
  override actions() {
    return [
      this.action('close', {
        handle: ({ row, save }) =>
          save('Post', row, { publishedAt: new Date('2024-03-03T00:00:00Z'), title: 'Closed' }),
      }),
    ]
  }
}

class Helpdesk extends V1 {
  override serving(phase: Serving): void {
    const { user } = phase
    if (user?.role === 'MEMBER') phase.scope('Post', { authorId: isFirst(user) ? { lt: 7 } : { gte: 7 } })
  }
}

const api = useServers(async () => {
  const parts = await exampleWith(Helpdesk)
  return {
    policies: new Map([...parts.policies, ['Post', Tickets], ['Profile', Salaries]] as never) as typeof parts.policies,
    servers: parts.servers.map((each) => ({
      ...each,
      schemas: new Map([...each.schemas, ['Post', TicketSchema]] as never) as typeof each.schemas,
    })),
  }
})
const [member, editor, admin] = [3, 2, 1]
const get = async (as: number | null, path: string) => (await api.as(as)('GET', `/api/v1${path}`)).body
const patch = (as: number, id: number, attributes: object) =>
  api.as(as)('PATCH', `/api/v1/posts/${id}`, { body: { data: { type: 'posts', id: `${id}`, attributes } } })
const refused = (field: string, pointer?: string) => ({
  ...{ status: '403', title: 'Forbidden', detail: `You may not change the field ${field}.` },
  ...(pointer && { source: { pointer } }),
})
let tickets = 0
const ticket = (data: object = {}) =>
  api.db.post.create({
    data: { ...{ title: 'T', slug: `ticket-${++tickets}`, content: 'C', synopsis: 'A note', authorId: 3 }, ...data },
  })

describe('notes of the staff', () => {
  test('are read by the staff, of tickets of all customers', async () => {
    const { id } = await ticket()
    expect((await get(editor, `/posts/${id}`)).data.attributes.synopsis).toBe('A note')
    expect((await get(member, `/posts/${id}`)).data.attributes).not.toHaveProperty('synopsis')
    expect((await get(7, `/posts/${id}`)).errors[0].status).toBe('404')
  })

  test('are unknown to customers, wherever they ask', async () => {
    for (const path of ['/posts?filter[synopsis]=x', '/posts?sort=synopsis', '/tags?filter[posts.synopsis]=x'])
      expect((await get(member, path)).errors[0].status).toBe('400')
    const { included } = await get(member, '/users/3?include=posts')
    expect(included.length).toBeGreaterThan(0)
    expect(JSON.stringify(included)).not.toContain('synopsis')
  })

  test('are not written by customers', async () => {
    const { id } = await ticket()
    expectErrors(await patch(member, id, { synopsis: 'Mine' }), refused('synopsis', '/data/attributes/synopsis'))
    expect((await patch(editor, id, { synopsis: 'Ours' })).status).toBe(200)
  })
})

describe('a salary', () => {
  test('is read by oneself and by HR', async () => {
    const seen = async (as: number | null) =>
      (await get(as, '/profiles')).data.flatMap(({ id, attributes }: { id: string; attributes: object }) =>
        'website' in attributes ? [Number(id)] : [],
      )
    expect([await seen(null), await seen(5), (await seen(editor)).length]).toEqual([[], [5], 10])
  })

  test('moves no row of others by orders and filters, across relations either', async () => {
    const others = await get(5, '/profiles?filter[website][not]=none')
    expect(others.data.map(({ id }: { id: string }) => id)).toEqual(['5'])
    const users = await get(admin, '/users?filter[profile.website][contains]=example')
    expect(users.data.every(({ id }: { id: string }) => id === '1')).toBe(true)
  })
})

describe('a status that a manager changes', () => {
  test('is refused to others, by documents and by actions', async () => {
    const { id, publishedAt } = await ticket()
    const change = { publishedAt: '2024-02-02T00:00:00Z' }
    expectErrors(await patch(editor, id, change), refused('publishedAt', '/data/attributes/publishedAt'))
    expectErrors(await api.as(editor)('POST', `/api/v1/posts/${id}/-actions/close`), refused('publishedAt'))
    expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'T', publishedAt })
  })

  test('is changed by the manager, in both ways', async () => {
    const { id } = await ticket()
    expect((await patch(admin, id, { publishedAt: '2024-02-02T00:00:00Z' })).status).toBe(200)
    expect((await api.as(admin)('POST', `/api/v1/posts/${id}/-actions/close`)).status).toBe(200)
    expect(await api.db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ title: 'Closed' })
  })
})
