import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { discover, Policy, type Rules, Server, type User } from 'prismapi'
import { afterEach, describe, expect, test } from 'vitest'
import { resources } from '../../../prisma/generated/resources.ts'
import { expectErrors, forbidden } from '../../support/answers.ts'
import { users } from '../../support/api.ts'
import { useBoot } from '../../support/boot.ts'
import { plain, useServers } from '../../support/servers.ts'

// A server may have policies of its own, in a folder of its name: each replaces the policy that all other servers have for the model.

class Desk extends Server {
  override readonly name = 'desk'
}

class Site extends Server {
  override readonly name = 'site'
}

/** Signed in, everything. */
class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    if (user) can([this.reads, this.writes])
  }
}

/** Read by everybody, but for the content. */
class SitePostPolicy extends Policy<'Post'> {
  override abilities({ can, cannot }: Rules<'Post'>) {
    can(this.reads)
    cannot('view', 'content')
  }
  override update() {
    return false
  }
}

class TagPolicy extends Policy<'Tag'> {
  override abilities({ can }: Rules<'Tag'>) {
    can(this.reads)
  }
}

const files = new Map<object, string>([[SitePostPolicy, 'policies/site/post.policy.ts']])

describe('two servers, one with a policy of its own', () => {
  const api = useServers(() => ({
    servers: [plain(Desk), plain(Site, { policies: new Map([['Post', SitePostPolicy as never]]), files })],
    policies: new Map<string, never>([
      ['Post', PostPolicy as never],
      ['Tag', TagPolicy as never],
    ]),
    production: false,
  }))

  test('each ask their own', async () => {
    const statuses = async (user: number | null, ...[method, path, send]: Parameters<ReturnType<typeof api.as>>) =>
      Promise.all(
        ['desk', 'site'].map(async (name) => (await api.as(user)(method, `/api/${name}${path}`, send)).status),
      )
    const body = { data: { type: 'posts', id: '1', attributes: { title: 'Another' } } }
    expect(await statuses(null, 'GET', '/posts')).toEqual([403, 200])
    expect(await statuses(users.admin, 'PATCH', '/posts/1', { body })).toEqual([200, 403])
    expect(await statuses(null, 'GET', '/tags/1')).toEqual([200, 200])
    const fields = async (name: string) =>
      Object.keys((await api.as(users.admin)('GET', `/api/${name}/posts/1`)).body.data.attributes)
    expect([(await fields('desk')).includes('content'), (await fields('site')).includes('content')]).toEqual([
      true,
      false,
    ])
  })

  test('and errors and explanations name its file', async () => {
    const body = { data: { type: 'posts', id: '1', attributes: {} } }
    const ask = (name: string, headers = {}) => api.as(null)('PATCH', `/api/${name}/posts/1`, { body, headers })
    expectErrors(
      await ask('site'),
      forbidden('This action is unauthorized. update() of policies/site/post.policy.ts denies it.'),
    )
    expectErrors(
      await ask('desk'),
      forbidden(
        'This action is unauthorized. No method and no rule of policies/post.policy.ts names update for this user.',
      ),
    )
    const explained = async (name: string) =>
      (await ask(name, { Prefer: 'explain' })).body.meta.explain.decisions.map(({ place }: { place: string }) => place)
    expect(await explained('site')).toEqual(['update() of policies/site/post.policy.ts'])
    expect(await explained('desk')).toEqual(['policies/post.policy.ts'])
    const { body: shown } = await api.as(null)('GET', '/api/site/posts/1', { headers: { Prefer: 'explain' } })
    expect(shown.meta.explain.hidden.map(({ place }: { place: string }) => place)).toEqual([
      'policies/site/post.policy.ts',
    ])
  })

  test('and so do their OpenAPI documents', async () => {
    const told = async (name: string) => {
      const { body } = await api.as(null)('GET', `/api/${name}/openapi.json`)
      return Object.keys(body.paths).includes(`/api/${name}/posts/{id}`)
    }
    expect([await told('desk'), await told('site')]).toEqual([false, true])
  })
})

describe('policies are found', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  const server = (name: string, extending = "import { Server as Base } from 'prismapi'") =>
    `${extending}
export default class Own extends Base { name = '${name}' }`
  const policy = `import { Policy } from 'prismapi'
export default class PostPolicy extends Policy {}`
  const found = async (files: Readonly<Record<string, string>>) => {
    const root = mkdtempSync(path.join(import.meta.dirname, '../../.tmp-'))
    folders.push(root)
    for (const [file, text] of Object.entries({ 'src/app/v1/server.js': server('v1'), ...files })) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
      writeFileSync(path.join(root, file), text)
    }
    return discover({ root, resources })
  }

  test('in the folder of their server, and are inherited with its class', async () => {
    const { policies, servers } = await found({
      'src/app/v2/server.js': server('v2', "import Base from '../v1/server.js'"),
      'src/app/v3/server.js': server('v3'),
      'policies/post.policy.js': policy,
      'policies/tag.policy.js': policy,
      'policies/v1/post.policy.js': policy,
      'policies/v2/tag.policy.js': policy,
    })
    expect([...policies.keys()]).toEqual(['Post', 'Tag'])
    expect(
      servers.map((parts) => [...(parts.policies ?? [])].map(([model, Class]) => [model, parts.files?.get(Class)])),
    ).toEqual([
      [['Post', 'policies/v1/post.policy.js']],
      [
        ['Post', 'policies/v1/post.policy.js'],
        ['Tag', 'policies/v2/tag.policy.js'],
      ],
      [],
    ])
  })

  test.each([
    [
      { 'policies/v9/post.policy.js': policy },
      'policies/v9/post.policy.js: no server is called v9. Rename the folder (to v1?), or move the file to policies, where it is for all servers. There are: v1.',
    ],
    [
      { 'policies/v1/post.policy.js': policy, 'policies/v1/post.policy.mjs': policy },
      'policies/v1/post.policy.mjs: policies/v1/post.policy.js is the policy of Post already. Remove one of the two.',
    ],
    [
      { 'policies/v1/pots.policy.js': policy },
      'policies/v1/pots.policy.js: no model is called pots in the Prisma schema. Rename the file (to post?) or add the model.',
    ],
    [
      { 'policies/v1/post.policy.js': 'export default class {}' },
      'policies/v1/post.policy.js: its default export is no Policy. Write "export default class … extends Policy".',
    ],
  ])('or stop the start: %j', async (files, said) => {
    await expect(found(files)).rejects.toThrow(new Error(said))
  })

  test('not where a folder has other files, which policies may share', async () => {
    expect((await found({ 'policies/shared/owners.js': '' })).policies.size).toBe(0)
  })

  const boot = useBoot()
  test('a method that is no action names the file', async () => {
    const wrong = `import { Policy } from 'prismapi'
export default class PostPolicy extends Policy { updat() { return true } }`
    await expect(boot({ 'policies/v1/post.policy.js': wrong })).rejects.toThrow(
      'policies/v1/post.policy.js: updat is no action of Post. Did you mean update?',
    )
  })
})
