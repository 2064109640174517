import { describe, expect, test } from 'vitest'
import { openAgent } from '../../support/agents/client.ts'
import { users } from '../../support/api.ts'
import { provider } from '../../support/database.ts'
import { addPost } from '../../support/rows.ts'
import { theExample, useServers } from '../../support/servers.ts'

// Agents use the second server of the example by the official client, as HTTP would answer their users.

const api = useServers(theExample)
const { admin, editor, member3 } = users

const namesOf = async (user?: number) => {
  const { client } = await openAgent(api, user === undefined ? {} : { user })
  return (await client.listTools()).tools.map(({ name }) => name)
}

describe('the list of tools', () => {
  test('is cut to the caller, in one order', async () => {
    const reading = ['describe', 'list', 'get', 'stats', 'explain']
    expect(await namesOf()).toEqual(reading)
    expect(await namesOf(admin)).toEqual([...reading, 'create', 'update', 'delete', 'link', 'act'])
  })

  test('names the types that the caller may use each tool with, and hints that are true', async () => {
    const { client } = await openAgent(api, { user: member3 })
    const { tools } = await client.listTools()
    const [create, remove] = ['create', 'delete'].map((name) => tools.find((tool) => tool.name === name))
    expect(create?.inputSchema.properties?.type).toMatchObject({ enum: ['posts', 'videos', 'comments'] })
    expect(create?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    })
    expect(remove?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true })
    for (const { annotations, name } of tools)
      expect(annotations?.readOnlyHint, name).toBe(['describe', 'list', 'get', 'stats', 'explain'].includes(name))
  })

  test.each([
    ['auto', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const)('is had by clients that negotiate: %s', async (mode, version) => {
    const { client, call } = await openAgent(api, { user: admin, mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect((await client.listTools()).tools).toHaveLength(10)
    expect((await call('stats', { type: 'videos' })).data.meta.stats).toEqual({ '*': { count: expect.any(Number) } })
  })

  test('is had by clients of 2025-06-18', async () => {
    const ask = async (id: number, method: string, params: object) => {
      const response = await fetch(`${api.at}/api/v2/-mcp`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      })
      const [, data] = /^data: (.*)$/m.exec(await response.text()) ?? []
      return JSON.parse(data ?? 'null').result
    }
    const clientInfo = { name: 'old', version: '1' }
    const begun = await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    expect(begun).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { title: 'A publishing site' } })
    expect((await ask(2, 'tools/list', {})).tools).toHaveLength(5)
    const { structuredContent, isError } = await ask(3, 'tools/call', {
      name: 'get',
      arguments: { type: 'tags', id: '1' },
    })
    expect({ isError, type: structuredContent.data.type }).toEqual({ isError: undefined, type: 'tags' })
  })
})

describe('what is read', () => {
  test('is the document of HTTP, with a copy as JSON', async () => {
    const { id } = await addPost(api.db)
    const { call } = await openAgent(api, { user: member3 })
    const asked = {
      type: 'posts',
      filter: { title: { contains: 'Added' }, or: [{ id: String(id) }, { author: { name: 'Nobody' } }] },
      sort: ['-title', 'id'],
      include: ['author'],
      fields: { posts: ['title', 'author'] },
      page: { size: 2 },
    }
    const url = `/api/v2/posts?include=author&sort=-title,id&filter[title][contains]=Added&filter[or][0][id]=${id}&filter[or][1][author.name]=Nobody&page[size]=2&fields[posts]=title,author`
    const { data, text, isError } = await call('list', asked)
    expect(isError).toBe(false)
    expect(data.data).toHaveLength(1)
    expect(data).toEqual((await api.as(member3)('GET', url)).body)
    expect(JSON.parse(text)).toEqual(data)
    const related = await call('list', { type: 'posts', id: String(id), relation: 'comments' })
    expect(related.data).toEqual((await api.as(member3)('GET', `/api/v2/posts/${id}/comments`)).body)
  })

  test('has groups and figures', async () => {
    const { call } = await openAgent(api, { user: member3 })
    const grouped = await call('stats', { type: 'posts', groupBy: ['author'], sort: '-count' })
    expect(grouped.data).toEqual((await api.as(member3)('GET', '/api/v2/posts/-stats?groupBy=author&sort=-count')).body)
    const { data } = await call('stats', { type: 'posts', filter: { title: 'None is called so' } })
    expect(data.meta.stats).toEqual({ '*': { count: 0 } })
  })

  test('is refused as by HTTP, as the result of the tool', async () => {
    const { call } = await openAgent(api)
    const { data, isError } = await call('list', { type: 'posts', filter: { nothing: 1 } })
    expect(isError).toBe(true)
    expect(data).toEqual((await api.as(null)('GET', '/api/v2/posts?filter[nothing]=1')).body)
    for (const type of ['nothing', '__proto__', 'constructor', '..', 'posts/1', ''])
      expect((await call('get', { type, id: '1' })).isError, type).toBe(true)
  })

  test('arguments of another form name their place', async () => {
    const { call } = await openAgent(api)
    const { data } = await call('list', { type: 'posts', include: 'author', more: 1 })
    expect(data.errors).toEqual([
      {
        status: '400',
        title: 'Invalid Argument',
        code: 'invalid_argument',
        detail: 'The arguments must NOT have additional properties.',
        source: { pointer: '' },
      },
      {
        status: '400',
        title: 'Invalid Argument',
        code: 'invalid_argument',
        detail: 'The argument include must be array.',
        source: { pointer: '/include' },
      },
    ])
  })

  test('a question that is too long for a URL is asked all the same', async () => {
    const { call } = await openAgent(api, { user: member3 })
    const ids = Array.from({ length: 300 }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)
    const { isError, data } = await call('list', { type: 'videos', filter: { id: ids }, fields: { videos: ['title'] } })
    expect({ isError, type: data.data[0].type }).toEqual({ isError: false, type: 'videos' })
  })
})

describe('describe', () => {
  test('lists the types with their tools', async () => {
    const { call } = await openAgent(api)
    const { data } = await call('describe')
    expect(data.types).toContainEqual({
      type: 'tags',
      description: 'A keyword of posts and videos.',
      tools: ['list', 'get'],
    })
    expect(data.limits.pageSize).toBe(200)
  })

  test('tells of a type what this caller can ask and do', async () => {
    const guest = await openAgent(api)
    const { data } = await guest.call('describe', { type: 'tags' })
    const ignoringCase = provider === 'sqlite' ? '' : ' iequals icontains istartsWith iendsWith'
    expect(data).toEqual({
      type: 'tags',
      description: 'A keyword of posts and videos.',
      tools: ['list', 'get'],
      attributes: { name: { type: 'string' } },
      relationships: { posts: { types: ['posts'], many: true }, videos: { types: ['videos'], many: true } },
      filter: {
        id: 'equals in not notIn lt lte gt gte',
        name: `equals in not notIn lt lte gt gte contains startsWith endsWith${ignoringCase}`,
        posts: 'equals in exists',
        videos: 'equals in exists',
      },
      sort: ['id', 'name'],
      include: ['posts', 'videos'],
    })
    const { call } = await openAgent(api, { user: member3 })
    const posts = (await call('describe', { type: 'posts' })).data
    expect(posts.create.required).toEqual(['title', 'slug', 'body'])
    expect(posts.update.asCreated).toContain('title')
    expect(posts.actions.publish).toEqual({
      on: 'a resource, by id',
      input: { publishedAt: { type: 'string', format: 'date-time' } },
    })
    expect((await guest.call('describe', { type: 'nothing' })).isError).toBe(true)
  })
})

describe('explain', () => {
  test('says whether, and why not, and changes nothing', async () => {
    const { id } = await addPost(api.db)
    const ask = async (user: number, args: object) =>
      (await (await openAgent(api, { user })).call('explain', { type: 'posts', id: String(id), ...args })).data
    expect(await ask(editor, { action: 'delete' })).toEqual({ allowed: true })
    expect(await ask(admin, { action: 'publish' })).toEqual({ allowed: true })
    expect(await ask(member3, { action: 'get' })).toEqual({ allowed: true })
    expect(await ask(editor, { action: 'link', relation: 'author', mode: 'set', ids: ['3'] })).toEqual({
      allowed: false,
      errors: [
        { status: '403', title: 'Forbidden', detail: 'Only an administrator may hand a post to another author.' },
      ],
    })
    expect(await api.db.post.findFirst({ where: { id } })).toMatchObject({
      publishedAt: expect.any(Date),
      deletedAt: null,
    })
  })
})

describe('writes', () => {
  test('are those of HTTP', async () => {
    const { call } = await openAgent(api, { user: member3 })
    const created = await call('create', {
      type: 'posts',
      attributes: { title: 'By an agent', slug: 'by-an-agent', body: 'Text' },
      relationships: { tags: ['2'] },
    })
    expect(created).toMatchObject({ isError: false, data: { data: { attributes: { title: 'By an agent' } } } })
    const { id } = created.data.data
    const changed = await call('update', { type: 'posts', id, attributes: { title: 'Changed' } })
    expect(changed.data.data.attributes.title).toBe('Changed')
    expect((await call('link', { type: 'posts', id, relation: 'tags', ids: ['3'] })).isError).toBe(false)
    expect((await call('link', { type: 'posts', id, relation: 'tags', ids: ['2'], mode: 'remove' })).isError).toBe(
      false,
    )
    const post = await api.db.post.findFirst({ where: { id: Number(id) }, include: { tags: true } })
    expect(post).toMatchObject({ title: 'Changed', authorId: member3, tags: [{ id: 3 }] })
    const published = await call('act', { type: 'posts', id, action: 'publish' })
    expect(published.data.data.attributes.publishedAt).toEqual(expect.any(String))
    expect(await call('delete', { type: 'posts', id })).toMatchObject({ isError: false, data: {} })
    expect(await api.db.post.findFirst({ where: { id: Number(id) } })).toMatchObject({ deletedAt: expect.any(Date) })
  })

  test('are refused with the errors of HTTP', async () => {
    const { id } = await addPost(api.db)
    const { call } = await openAgent(api, { user: users.member6 })
    const refused = await call('update', { type: 'posts', id: String(id), attributes: { title: '' } })
    const body = { data: { type: 'posts', id: String(id), attributes: { title: '' } } }
    expect(refused).toMatchObject({ isError: true })
    expect(refused.data).toEqual((await api.as(users.member6)('PATCH', `/api/v2/posts/${id}`, { body })).body)
    const guest = await openAgent(api)
    expect((await guest.call('delete', { type: 'posts', id: String(id) })).data.errors).toEqual([
      { status: '403', title: 'Forbidden', detail: 'Sign in first.' },
    ])
  })

  test('of several resources are done together or not at all', async () => {
    const [one, other] = [await addPost(api.db), await addPost(api.db)]
    const { call } = await openAgent(api, { user: admin })
    const ids = [String(one.id), String(other.id)]
    const changed = await call('update', { type: 'posts', ids, attributes: { synopsis: 'Both' } })
    expect(changed.data.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { synopsis: 'Both' },
      { synopsis: 'Both' },
    ])
    const refused = await call('update', { type: 'posts', ids: [...ids, '0'], attributes: { synopsis: 'None' } })
    expect(refused).toMatchObject({ isError: true, data: { errors: [{ status: '404' }] } })
    expect(await api.db.post.count({ where: { synopsis: 'None' } })).toBe(0)
    expect((await call('delete', { type: 'posts' })).data.errors[0].detail).toBe(
      'Name one resource by id, or several by ids.',
    )
  })

  test('with dryRun are shown and undone', async () => {
    const { id, updatedAt } = await addPost(api.db)
    const { call } = await openAgent(api, { user: admin })
    const logged = await api.db.change.count()
    const changed = await call('update', { type: 'posts', id: String(id), attributes: { title: 'Dry' }, dryRun: true })
    expect(changed.data).toMatchObject({ data: { attributes: { title: 'Dry' } }, meta: { dryRun: true } })
    const created = await call('create', {
      type: 'tags',
      attributes: { name: 'dry' },
      idempotencyKey: 'dry',
      dryRun: true,
    })
    expect(created.data.data.attributes.name).toBe('dry')
    expect((await call('delete', { type: 'posts', id: String(id), dryRun: true })).data).toEqual({
      meta: { dryRun: true },
    })
    expect((await call('create', { type: 'tags', attributes: {}, dryRun: true })).isError).toBe(true)
    expect(await api.db.post.findFirst({ where: { id } })).toMatchObject({ updatedAt, deletedAt: null })
    expect(await api.db.tag.count({ where: { name: 'dry' } })).toBe(0)
    expect(await api.db.change.count()).toBe(logged)
    expect(await api.db.idempotencyKey.count()).toBe(0)
  })

  test('with one key write once, also at the same time', async () => {
    const { call } = await openAgent(api, { user: member3 })
    const args = { type: 'comments', attributes: { content: 'Once' }, idempotencyKey: 'once' }
    const about = { ...args, relationships: { commentable: { data: { type: 'posts', id: '1' } } } }
    const first = await call('create', about)
    const again = await Promise.all([call('create', about), call('create', about)])
    expect(again.map(({ data }) => data.data.id)).toEqual([first.data.data.id, first.data.data.id])
    expect(await api.db.comment.count({ where: { content: 'Once' } })).toBe(1)
    const other = await call('create', { ...about, attributes: { content: 'Another' } })
    expect(other.data.errors[0].status).toBe('422')
  })
})

describe('the door', () => {
  const post = (headers: Record<string, string>, body: unknown = {}) =>
    fetch(`${api.at}/api/v2/-mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test('is no page of another site', async () => {
    expect((await post({ Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ Origin: 'https://api.example.org' })).status).not.toBe(403)
  })

  test('has POST alone, on servers that the feature names', async () => {
    const asked = await fetch(`${api.at}/api/v2/-mcp`)
    expect([asked.status, asked.headers.get('Allow')]).toEqual([405, 'POST'])
    expect((await fetch(`${api.at}/api/v1/-mcp`, { method: 'POST' })).status).toBe(404)
  })

  test('takes one message in each request, as a rate limit counts them', async () => {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get', arguments: { type: 'tags', id: '1' } },
    }
    const refused = await post({}, `  ${JSON.stringify([call, { ...call, id: 2 }])}`)
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { errors: [{ detail: 'Send one message in each request.' }] },
    ])
    expect((await post({}, `${' '.repeat(2000)}[${JSON.stringify(call)}]`)).status).toBe(400)
  })

  test('refuses wrong credentials, and bodies that are too large or too deep', async () => {
    expect((await post({ Authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await post({}, JSON.stringify({ a: 'x'.repeat(1_100_000) }))).status).toBe(413)
    expect((await post({}, `${'['.repeat(100_000)}${']'.repeat(100_000)}`)).status).toBe(400)
  })
})
