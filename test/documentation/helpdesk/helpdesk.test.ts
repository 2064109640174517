import { type Api, api } from '@prismapi/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Helpdesk, helpdeskFiles, openHelpdesk } from '../../support/helpdesk.ts'
import { secrets, seedHelpdesk } from '../../support/helpdesk-seed.ts'

// The application of docs/many-organizations.md: a helpdesk of twelve models for many organizations.

const { ann, art, mia, gil } = secrets
let helpdesk: Helpdesk
let client: Api<string>

beforeAll(async () => {
  helpdesk = await openHelpdesk()
  await seedHelpdesk(helpdesk)
  const signIn = (secret: string) => ({ Authorization: `Bearer ${secret}` })
  client = api<string>(() => helpdesk.createApp() as never, { base: '/api/v2', signIn })
})
afterAll(async () => {
  await client?.close()
  await helpdesk?.close()
})

// biome-ignore lint/suspicious/noExplicitAny: documents of every shape
const bodyOf = async (call: PromiseLike<{ readonly document: any; readonly status: number }>) => {
  const { status, document } = await call
  return { status, ...document }
}
const ids = async (secret: string, path: string) =>
  (await bodyOf(client.as(secret).get(path))).data.map(({ id }: { id: string }) => Number(id))

describe('the files of the application', () => {
  const files = helpdeskFiles()

  test('compile', () => {
    expect(helpdesk.compile()).toBe('')
  })

  test('are fewer than 350 lines, without any and module state', () => {
    const lines = files.flatMap(({ text }) => text.trimEnd().split('\n'))
    expect(lines.length).toBeLessThan(350)
    expect(lines.filter((line) => /\bglobalThis\b|\bany\b|^let /.test(line))).toEqual([])
  })

  test('name the organization where scopes are, and where somebody signs in', () => {
    const naming = files.filter(({ text }) => text.includes('organizationId')).map(({ file }) => file)
    expect(naming.sort()).toEqual(['src/app/auth.ts', 'src/app/helpdesk.ts'])
    const { text = '' } = files.find(({ file }) => file === 'src/app/helpdesk.ts') ?? {}
    const lines = text.split('\n').filter((line) => line.includes('organizationId'))
    expect(lines.map((line) => line.trim())).toEqual([
      expect.stringContaining('= phase.user ??'),
      'const own = { organizationId }',
      "phase.scope('Organization', { id: organizationId })",
    ])
  })
})

describe('each organization is alone', () => {
  test('in what it lists', async () => {
    expect(await ids(ann, '/tickets')).toEqual([1, 2])
    expect(await ids(gil, '/tickets')).toEqual([3, 4])
    expect(await ids(ann, '/users')).toEqual([1, 2, 3])
    expect(await ids(gil, '/organizations')).toEqual([2])
  })

  test('in what it reads, changes and relates', async () => {
    expect((await client.as(ann).get('/tickets/3')).status).toBe(404)
    expect((await client.as(ann).delete('/tickets/3')).status).toBe(404)
    const data = { type: 'tickets', attributes: { subject: 'Stolen', body: 'a team' }, relationships: {} }
    const team = { data: { type: 'teams', id: '2' } }
    expect((await client.as(ann).post('/tickets', { data: { ...data, relationships: { team } } })).status).toBe(404)
    expect(await ids(ann, '/tickets?filter[team.name]=scanner team')).toEqual([])
  })

  test('guests see nothing, and a wrong key is refused', async () => {
    expect((await client.get('/tickets')).status).toBe(403)
    expect((await client.as('nonsense').get('/tickets')).status).toBe(401)
  })
})

describe('tickets', () => {
  test('of a member: a new one is theirs, and nobody sees those of others', async () => {
    const attributes = { subject: 'Help', body: 'It burns.', status: 'CLOSED' }
    const { status, data } = await bodyOf(client.as(mia).post('/tickets', { data: { type: 'tickets', attributes } }))
    expect({ status, attributes: data.attributes }).toMatchObject({
      status: 201,
      attributes: { subject: 'Help', status: 'OPEN', isLate: false },
    })
    expect(await helpdesk.db.ticket.findUnique({ where: { id: Number(data.id) } })).toMatchObject({
      requesterId: 3,
      organizationId: 1,
    })
  })

  test('are due in the future, and stay so when they are late', async () => {
    const patch = (attributes: object) =>
      client.as(art).patch('/tickets/1', { data: { type: 'tickets', id: '1', attributes } })
    const { status, errors } = await bodyOf(patch({ dueAt: '2001-01-01T00:00Z' }))
    expect({ status, detail: errors[0].detail }).toEqual({
      status: 422,
      detail: 'The due at field must be in the future.',
    })
    await helpdesk.db.ticket.update({ where: { id: 1 }, data: { dueAt: new Date(0) } })
    const late = await bodyOf(patch({ subject: 'Late' }))
    expect({ status: late.status, isLate: late.data.attributes.isLate }).toEqual({ status: 200, isLate: true })
  })

  test('are assigned to a member of the organization', async () => {
    const assign = (id: string) =>
      client.as(art).post('/tickets/2/-actions/assign', { meta: { assignee: { type: 'memberships', id } } })
    expect((await assign('4')).status).toBe(404)
    const { status, data } = await bodyOf(assign('2'))
    expect({ status, state: data.attributes.status }).toEqual({ status: 200, state: 'PENDING' })
    expect((await client.as(mia).post('/tickets/2/-actions/assign')).status).toBe(403)
  })

  test('that are closed take no comments, neither new nor changed ones', async () => {
    await helpdesk.db.ticket.update({ where: { id: 2 }, data: { status: 'CLOSED' } })
    const relationships = { ticket: { data: { type: 'tickets', id: '2' } } }
    const fresh = { type: 'comments', attributes: { text: 'More' }, relationships }
    const created = await bodyOf(client.as(art).post('/comments', { data: fresh }))
    const changed = await bodyOf(
      client.as(mia).patch('/comments/2', { data: { type: 'comments', id: '2', attributes: { text: 'Less' } } }),
    )
    const refusal = { status: 422, detail: 'A closed ticket takes no comments.' }
    expect([created, changed].map(({ status, errors }) => ({ status, detail: errors[0].detail }))).toEqual([
      refusal,
      refusal,
    ])
  })
})

describe('secrets', () => {
  test('a key is shown once, and signs in', async () => {
    const { status, data, meta } = await bodyOf(
      client.as(mia).post('/api-keys/-actions/issue', { meta: { name: 'laptop' } }),
    )
    expect({ status, attributes: data.attributes }).toEqual({
      status: 201,
      attributes: { name: 'laptop', createdAt: expect.any(String) },
    })
    expect((await client.as(meta.secret).get(`/api-keys/${data.id}`)).status).toBe(200)
    expect(await helpdesk.db.apiKey.count({ where: { hash: meta.secret } })).toBe(0)
  })

  test('an invitation is mailed after the commit, accepted once, and makes a member', async () => {
    const meta = { email: 'new@acme.example', role: 'AGENT' }
    const { status, data } = await bodyOf(client.as(ann).post('/invitations/-actions/invite', { meta }))
    expect({ status, attributes: data.attributes }).toEqual({
      status: 201,
      attributes: { email: 'new@acme.example', role: 'AGENT', acceptedAt: null },
    })
    const { to, text = '' } = helpdesk.mails.at(-1) ?? {}
    const secret = text.split(' ').at(-1) ?? ''
    expect({ to, length: secret.length }).toEqual({ to: 'new@acme.example', length: 32 })

    const accept = () => client.as(secret).post(`/invitations/${data.id}/-actions/accept`, { meta: { name: 'Nia' } })
    expect((await client.as(secret).get('/tickets')).status).toBe(403)
    const accepted = await bodyOf(accept())
    expect(accepted.status).toBe(201)
    expect(await ids(accepted.meta.secret, '/organizations')).toEqual([1])
    expect((await accept()).status).toBe(401)
  })

  test('who is a member already is not invited', async () => {
    const meta = { email: 'mia@acme.example', role: 'AGENT' }
    expect((await client.as(ann).post('/invitations/-actions/invite', { meta })).status).toBe(409)
  })
})

test('what was changed is written down, for administrators of the organization', async () => {
  const { data } = await bodyOf(client.as(ann).get('/audit-entries?page[size]=100'))
  const entries = data.map(({ attributes }: { attributes: { action: string; subject: string } }) => attributes)
  expect(entries).toContainEqual(expect.objectContaining({ action: 'update', subject: 'Ticket 2' }))
  expect(entries).toContainEqual(expect.objectContaining({ action: 'create', subject: 'Membership 6' }))
  expect(await ids(gil, '/audit-entries')).toEqual([2])
  expect((await client.as(mia).get('/audit-entries')).status).toBe(403)
})

test('the first version is deprecated, and lacks what the second one has', async () => {
  const v1 = api<string>(() => helpdesk.createApp() as never, {
    base: '/api/v1',
    signIn: (secret) => ({ Authorization: `Bearer ${secret}` }),
  })
  const { headers, document } = await v1.as(mia).get('/tickets/2')
  await v1.close()
  expect(headers.get('Deprecation')).toBe('@1767225600')
  expect(Object.keys((document as { data: { attributes: object } }).data.attributes)).toEqual([
    ...['subject', 'body', 'status', 'dueAt', 'createdAt', 'updatedAt'],
  ])
})

test('nothing failed inside', () => {
  expect(helpdesk.failures).toEqual([])
})
