import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../src/run.ts'

const source = resolve(import.meta.dirname, '../..')
const example = readFileSync(resolve(source, '../prisma/schema.prisma'), 'utf8')
const more = `view Keyless {
  name String
}

model Later {
  id Int @id
}
`
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-cli-'))
  put('prisma/schema.prisma', `${example.replace('generator client {', '$&\n  previewFeatures = ["views"]')}\n${more}`)
  put('src/app/v1/server.ts', '')
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')

async function prismapi(line: string) {
  const said: string[] = []
  const note = (text: string) => void said.push(text)
  const status = await run(line.split(' '), root, { say: note, complain: note, paint: (_colour, text) => text })
  return { status, said: said.join('\n') }
}

describe('each file goes where the server finds it', () => {
  test.each([
    ['policy posts', 'policies/post.policy.ts'],
    ['policy posts --server=v1', 'policies/v1/post.policy.ts'],
    ['request Post', 'requests/post.request.ts'],
    ['request post --server=v1', 'requests/v1/post.request.ts'],
    ['query Post', 'requests/post.query.ts'],
    ['query Post --collection --server=v1', 'requests/v1/post.collection-query.ts'],
    ['query Post --both', 'requests/post.query.ts', 'requests/post.collection-query.ts'],
    ['schema Post', 'src/app/v1/post.schema.ts'],
    ['server V2', 'src/app/v2/server.ts'],
  ])('%s', async (line, ...files) => {
    const said = files.map((file) => `created ${file}`).join('\n')
    expect(await prismapi(line)).toEqual({ status: 0, said })
    for (const file of files) expect(read(file)).toContain('export default class ')
  })
})

test('a policy names the actions of the real relations, and allows none of them', async () => {
  await prismapi('policy Post')
  expect(read('policies/post.policy.ts')).toBe(`import { Policy, type Rules, type User } from 'prismapi'

/** Who may do what with posts, on every server. What no rule names is denied: at first, everything. */
export default class PostPolicy extends Policy<'Post'> {
  override abilities({ can }: Rules<'Post'>, user: User | null) {
    // Everybody, guests too. All of these are \`this.reads\`.
    can([
      // 'viewAny', 'view',
      // 'viewAuthor',
      // 'viewTags',
      // 'viewComments',
    ])
    // Rules may name fields, so that no others are seen or changed:
    // can('view', ['title'])
    if (!user) return
    // Every signed-in user. \`this.writes\` stands for update, delete and those of the relations.
    can([
      // 'create',
      // 'update',
      // 'delete',
      // 'updateAuthor',
      // 'updateTags', 'attachTags', 'detachTags',
      // 'updateComments', 'attachComments', 'detachComments',
    ])
    // Their own rows only.
    // can(['update', 'delete'], { authorId: user.id })
  }
}
`)
})

test('a request class has the rules of the real fields', async () => {
  await prismapi('request User')
  expect(read('requests/user.request.ts')).toBe(`import { enumOf, ResourceRequest, string, unique } from 'prismapi'

/** What clients may write of users: a field without a rule is ignored. */
export default class UserRequest extends ResourceRequest<'User'> {
  override rules() {
    return this.checked({
      name: string().required(),
      email: string().required().test(unique()),
      role: enumOf(['MEMBER', 'EDITOR', 'ADMIN']),
      // No rule for posts, comments, videos, profile.
      // These links are kept in rows of the other type, whose policy has to allow the update of each:
      // a rule would let clients make and end them from this side, too.
    })
  }
}
`)
})

describe('a schema class that is there counts', () => {
  const schemaOf = (name: string, body: string) =>
    `import { Schema } from '${source}/jsonapi/src/schema/schema.ts'\nexport default class ${name}Schema extends Schema {\n${body}\n}\n`

  beforeEach(() => {
    const commentable = "fields() { return [this.morphTo('commentable', ['post', 'video'])] }"
    put('src/app/v1/comment.schema.ts', schemaOf('Comment', commentable))
  })

  test('its relations are in the policy and the request class, which name them to the compiler', async () => {
    await prismapi('policy Comment')
    const policy = read('policies/comment.policy.ts')
    expect(policy).toContain("{ can }: Rules<'Comment', 'commentable'>")
    expect(policy.match(/'(view|update)\w*'/g)).toEqual([
      "'viewAny'",
      "'view'",
      "'viewAuthor'",
      "'viewCommentable'",
      "'view'",
      "'update'",
      "'updateAuthor'",
      "'updateCommentable'",
      "'update'",
    ])
    await prismapi('request Comment')
    const request = read('requests/comment.request.ts')
    expect(request).toContain("extends ResourceRequest<'Comment', 'commentable'> {")
    expect(request).toContain('      commentable: toOne().nullable(),\n')
    expect(request).not.toMatch(/\b(post|video):/)
  })

  test('so are its own actions, and what soft delete brings', async () => {
    const publish = "softDelete = 'deletedAt'\nactions() { return [this.action('publish', { handle() {} })] }"
    put('src/app/v1/post.schema.ts', schemaOf('Post', publish))
    await prismapi('policy Post')
    const policy = read('policies/post.policy.ts')
    expect(policy).toContain("{ can }: Rules<'Post', 'publish'>")
    expect(policy).toContain("      // 'publish',\n      // 'viewTrashed', 'forceDelete',\n    ])")
  })

  test('its paginator decides which rules pages have', async () => {
    const cursor = `pagination() { return { keys: ['limit', 'after'], order: [], parse() {} } }`
    put('src/app/v1/tag.schema.ts', schemaOf('Tag', cursor))
    await prismapi('query Tag --collection')
    const rules = "{\n      'page.limit': integer().min(1).max(100),\n      sort: notSupported(),\n      //"
    expect(read('requests/tag.collection-query.ts')).toContain(rules)
    put('src/app/v1/tag.schema.ts', schemaOf('Tag', 'pagination() { return null }'))
    put('src/app/v2/tag.schema.ts', schemaOf('Tag', 'pagination() { return null }'))
    put('src/app/v2/server.ts', '')
    await prismapi('query Tag --collection --server=v2')
    expect(read('requests/v2/tag.collection-query.ts')).toContain('{\n      page: notSupported(),\n      //')
  })

  test('rules for all servers are about the fields that all of them have, and have no request class of their own', async () => {
    put('src/app/v2/server.ts', '')
    put('src/app/v2/tag.schema.ts', schemaOf('Tag', "fields() { return [this.attribute('name').named('label')] }"))
    await prismapi('request Tag')
    const body =
      'return this.checked({\n      posts: toMany(),\n      videos: toMany(),\n      // Not on every server, so in'
    expect(read('requests/tag.request.ts')).toContain(`${body} requests/<server>/: name\n    }`)
    await prismapi('request Tag --server=v2')
    expect(read('requests/v2/tag.request.ts')).toContain('label: string().required().test(unique()),\n')
    await prismapi('request Tag --force')
    expect(read('requests/tag.request.ts')).toContain('name: string().required().test(unique()),\n')
  })

  test('one that cannot be read is named', async () => {
    put('src/app/v1/tag.schema.ts', schemaOf('Tag', "fields() { return [this.attribute('nam').hidden()] }"))
    const { status, said } = await prismapi('request Tag')
    expect(status).toBe(1)
    expect(said).toMatch(/^error src\/app\/v1\/tag\.schema\.ts: attribute\('nam'\): .* has no column nam\./)
    put('src/app/v1/user.schema.ts', "throw new Error('Not today.')")
    const refused = { status: 1, said: 'error src/app/v1/user.schema.ts cannot be read: Not today.' }
    expect(await prismapi('policy User')).toEqual(refused)
  })
})

test('a server shows scopes and creation hooks of real models', async () => {
  await prismapi('server next-version')
  const server = read('src/app/next-version/server.ts')
  expect(server).toContain("class NextVersion extends Server {\n  override readonly name = 'next-version'\n")
  expect(server).toContain("// phase.scope('Post', { publishedAt: { lte: new Date() } })")
  expect(server).toContain("// phase.creating('Post', ({ authorId = user.id }) => ({ authorId }))")
})

describe('what cannot be done is said in one line', () => {
  test.each([
    ['policy Pots', 'No model or type "Pots". Did you mean Post?'],
    ['policy Viseo', 'No model or type "Viseo". Did you mean Video?'],
    ['policy Uater', 'No model or type "Uater". Did you mean Later or User?'],
    ['policy Tah', 'No model or type "Tah". Did you mean Tag?'],
    ['request Something', expect.stringMatching(/^No model or type "Something"\. Known: User, Profile, Post, /)],
    ['policy', 'Usage: prismapi policy <name> [--server=<server>] [--force] [--dry-run]'],
    ['schema Post --server=v3', 'There is no server "v3". Did you mean v1?'],
    ['request Post --server=v3', 'There is no server "v3". Did you mean v1?'],
    [
      'schema Keyless',
      'Keyless is not served: it has no id and no unique without nullable fields, so its rows cannot be named. Add @id or @unique.',
    ],
  ])('%s', async (line, message) => {
    const { status, said } = await prismapi(line)
    expect({ status, said: said.replace('error ', '') }).toEqual({ status: 1, said: message })
  })

  test('without a Prisma schema', async () => {
    rmSync(join(root, 'prisma'), { recursive: true })
    const said =
      'error There is no Prisma schema: neither schema.prisma nor prisma/schema.prisma. Name it in prisma.config.ts.'
    expect(await prismapi('policy Post')).toEqual({ status: 1, said })
    expect(await prismapi('server v2')).toEqual({ status: 1, said })
  })

  test('with a Prisma schema that Prisma refuses', async () => {
    put('prisma/schema.prisma', 'datasource db {\n  provider = "sqlite"\n}\n\nmodel Post {\n  id Strin @id\n}\n')
    const { status, said } = await prismapi('policy Post')
    expect(status).toBe(1)
    expect(said).toMatch(/^error Type "Strin" is neither a built-in type.*\n {2}--> {2}prisma\/schema\.prisma:6\n/)
  })

  test('with several servers, a schema is for one of them', async () => {
    put('src/app/v2/server.ts', '')
    const said = 'error There are several servers: say --server=v1 or --server=v2.'
    expect(await prismapi('schema Post')).toEqual({ status: 1, said })
  })

  test('without a server', async () => {
    rmSync(join(root, 'src'), { recursive: true })
    const said = 'error There is no server yet. Run prismapi server <name>.'
    expect(await prismapi('schema Post')).toEqual({ status: 1, said })
    expect(await prismapi('request Post')).toEqual({ status: 0, said: 'created requests/post.request.ts' })
  })
})

describe('files that exist', () => {
  test('are kept, each by itself', async () => {
    put('requests/post.query.ts', 'my own')
    const said =
      'kept requests/post.query.ts (it exists; --force replaces it)\ncreated requests/post.collection-query.ts'
    expect(await prismapi('query Post --both')).toEqual({ status: 0, said })
    expect(read('requests/post.query.ts')).toBe('my own')
  })

  test('do not keep --dry-run from showing what would be written, nor does it write', async () => {
    put('policies/post.policy.ts', 'my own')
    const { said } = await prismapi('policy Post --dry-run')
    expect(said).toMatch(
      /^would be kept policies\/post\.policy\.ts \(it exists; --force replaces it\)\n\nimport \{ Policy/,
    )
    expect(await prismapi('policy Post --dry-run --force')).toMatchObject({
      said: expect.stringMatching(/^would be replaced policies\/post\.policy\.ts\n\nimport \{ Policy/),
    })
    expect(read('policies/post.policy.ts')).toBe('my own')
    await prismapi('request Post --dry-run')
    expect(existsSync(join(root, 'requests'))).toBe(false)
  })
})

describe('help', () => {
  test('names all commands in groups, each with an example, in 80 columns', async () => {
    const { status, said } = await prismapi('--help')
    const groups = said.split(/\n\n(?=[A-Z])/).map((group) => {
      const [title, ...lines] = group.split('\n')
      const commands = lines.flatMap((line) => /^ {2}(\w+) {2}/.exec(line)?.[1] ?? [])
      const examples = lines.flatMap((line) => /^ +npx prismapi (\w+)/.exec(line)?.[1] ?? [])
      expect(examples).toEqual(commands)
      return [title, commands]
    })
    expect({ status, groups }).toEqual({
      status: 0,
      groups: [
        [expect.stringMatching(/^prismapi \d+\.\d+\.\d+$/), []],
        ['Start', ['init', 'dev', 'server', 'resources']],
        ['Say who may do what, and which values are valid', ['policy', 'request', 'query', 'schema', 'authorizer']],
        ['Look and prove', ['doctor', 'explain', 'policies', 'diff']],
        ['For clients', ['openapi', 'client']],
        ['Migrations', ['live', 'search', 'rls']],
      ],
    })
    expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('explains each command in 80 columns', async () => {
    const { said } = await prismapi('--help')
    const names = [...said.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name as string)
    expect(names).toContain('policies')
    const wide = new Map<string, readonly string[]>()
    for (const name of names) {
      const lines = (await prismapi(`${name} --help`)).said.split('\n')
      expect(lines[0]).toMatch(new RegExp(`^prismapi ${name}\\b`))
      const longer = lines.filter((line) => line.length > 80)
      if (longer.length > 0) wide.set(name, longer)
    }
    expect(wide).toEqual(new Map())
  })

  test.each(['--version', '-v'])('%s is the version of the package', async (flag) => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(await prismapi(flag)).toEqual({ status: 0, said: version })
  })

  test('explains the options of one', async () => {
    expect(await prismapi('request --help')).toEqual({
      status: 0,
      said: `prismapi request <name> [--server=<server>] [--force] [--dry-run]
  Writes requests/<model>.request.ts with the rules that the Prisma schema
  implies.

  Example: npx prismapi request Post

  --server=<server>  Writes requests/<server>/…, which holds for that server
                     only.
  --force            Replaces a file that exists; without it, it is kept.
  --dry-run          Shows the file and writes nothing.`,
    })
  })
})
