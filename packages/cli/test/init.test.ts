import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { expectTold } from '../../../test/support/documentation/told.ts'
import { run } from '../src/run.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-init-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = () => JSON.parse(read('package.json'))

/** Every file with its text. */
const tree = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(root, path)).isFile())
      .sort()
      .map((path) => [path, read(path)]),
  )

async function prismapi(line: string) {
  const said: string[] = []
  const note = (text: string) => void said.push(text)
  const status = await run(line.split(' '), root, { say: note, complain: note, paint: (_colour, text) => text })
  return { status, said: said.join('\n') }
}

const nothingToDo = { status: 0, said: 'Nothing to do: everything is there already.' }
const error = (message: string) => ({ status: 1, said: `error ${message}` })

// What `npm init -y` writes.
const npmInit = `${JSON.stringify({ name: 'blog', version: '1.0.0', main: 'index.js', scripts: { test: 'exit 1' }, type: 'commonjs' }, null, 2)}\n`

const application = [
  '.env',
  '.env.example',
  '.gitignore',
  'README.md',
  'package.json',
  'policies/comment.policy.ts',
  'policies/post.policy.ts',
  'policies/user.policy.ts',
  'prisma.config.ts',
  'prisma/schema.prisma',
  'prisma/seed.ts',
  'requests/comment.request.ts',
  'requests/post.request.ts',
  'src/app/api.ts',
  'src/app/app.ts',
  'src/app/auth.ts',
  'src/app/database.ts',
  'src/app/env.ts',
  'src/app/explain.ts',
  'src/app/main.ts',
  'src/app/token.ts',
  'src/app/v1/server.ts',
  'tsconfig.json',
]

// better-sqlite3 13 brings its binaries, and aborts on Node 20.
const newNode = Number.parseInt(process.versions.node, 10) >= 22

describe('in an empty folder', () => {
  test('init writes an application and says each file', async () => {
    const { status, said } = await prismapi('init')
    expect(status).toBe(0)
    expect(Object.keys(tree())).toEqual(application)
    const lines = said.split('\n')
    expect(lines.filter((line) => line.startsWith('created ')).sort()).toEqual(
      application.map((path) => `created ${path}`).sort(),
    )
    expect(lines.slice(-9)).toEqual([
      '╭──────────────────────────────────────────╮',
      '│ Your application is written.             │',
      '│                                          │',
      '│ Next: npm install                        │',
      '│       npx prisma generate                │',
      '│       npx prisma migrate dev --name init │',
      '│       npx prisma db seed                 │',
      '│       npm run dev                        │',
      '╰──────────────────────────────────────────╯',
    ])
  })

  test('a second run changes nothing and says so', async () => {
    await prismapi('init')
    const before = tree()
    expect(await prismapi('init')).toEqual(nothingToDo)
    expect(await prismapi('init --dry-run')).toEqual(nothingToDo)
    expect(tree()).toEqual(before)
  })

  test('the secret is another one for each application, and is long enough', async () => {
    await prismapi('init')
    const first = read('.env')
    expect(first).toMatch(/^DATABASE_URL=file:\.\/prisma\/dev\.db\nAUTH_SECRET=[0-9a-f]{64}\n$/)
    rmSync(join(root, '.env'))
    await prismapi('init')
    expect(read('.env')).not.toBe(first)
    expect(read('.gitignore').split('\n')).toContain('.env')
    // Other users of the machine cannot read its secret.
    expect(statSync(join(root, '.env')).mode & 0o777).toBe(0o600)
  })

  test('--dry-run writes nothing, and shows a patch that makes the same files', async () => {
    put('package.json', npmInit)
    const { said } = await prismapi('init --dry-run')
    expect(tree()).toEqual({ 'package.json': npmInit })
    execFileSync('git', ['apply', '-'], { cwd: root, input: `${said}\n` })
    const patched = tree()
    expect(Object.keys(patched)).toEqual(application)
    for (const path of application) rmSync(join(root, path.split('/')[0] as string), { recursive: true, force: true })
    put('package.json', npmInit)
    await prismapi('init')
    expect({ ...tree(), '.env': '' }).toEqual({ ...patched, '.env': '' })
  })

  test('what npm init wrote stays, but for the kind of modules, and that is shown', async () => {
    put('package.json', npmInit)
    const { said } = await prismapi('init')
    expect(said).toContain('changed package.json\n--- a/package.json\n+++ b/package.json\n')
    expect(said).toContain('\n-  "type": "commonjs"\n+  "type": "module",\n')
    const { name, version, main, scripts, type, dependencies } = manifest()
    expect({ name, version, main, type }).toEqual({ name: 'blog', version: '1.0.0', main: 'index.js', type: 'module' })
    expect(Object.keys(scripts)).toEqual(['test', 'dev', 'build', 'prestart', 'start', 'token', 'client'])
    expect(scripts.test).toBe('exit 1')
    expect(dependencies.prismapi).toBe('^0.1.0')
  })

  test('a version that was chosen before is kept', async () => {
    put('package.json', '{ "type": "module", "dependencies": { "prismapi": "file:prismapi.tgz", "koa": "3.0.0" } }')
    await prismapi('init')
    expect(manifest().dependencies).toMatchObject({ prismapi: 'file:prismapi.tgz', koa: '3.0.0' })
  })

  test('files that are there are kept as they are', async () => {
    put('README.md', '# Mine\n')
    put('.gitignore', 'secret\n')
    const { said } = await prismapi('init')
    expect(said).toContain('kept README.md')
    expect(said).toContain('kept .gitignore')
    expect([read('README.md'), read('.gitignore')]).toEqual(['# Mine\n', 'secret\n'])
  })

  test('--provider=postgresql is for PostgreSQL, and a second run remembers it', async () => {
    await prismapi('init --provider=postgresql')
    expect(Object.keys(tree())).toEqual(application)
    expect(Object.keys(manifest().dependencies)).toEqual([
      '@prisma/adapter-pg',
      '@prisma/client',
      'jose',
      'koa',
      'pg',
      'pino',
      'prismapi',
    ])
    expect(read('.env')).toMatch(/^DATABASE_URL=postgresql:\/\/\S+\nAUTH_SECRET=/)
    const schema = read('prisma/schema.prisma')
    expect(schema).toContain('  provider = "postgresql"\n')
    expect(schema.match(/ DateTime.*/g)).toHaveLength(6)
    expect(schema.match(/ DateTime.* @db\.Timestamptz\(3\)\n/g)).toHaveLength(6)
    expect(Object.values(tree()).join('\n')).not.toMatch(/sqlite/i)
    expect(await prismapi('init')).toEqual(nothingToDo)
    expect(await prismapi('init --provider=sqlite')).toEqual(
      error('--provider is for a new application, and there is a Prisma schema already. Leave it out.'),
    )
  })

  const inTheWay =
    'in the way of a new application. Move what is in the way, run prismapi init in another folder, or, to add an API to this project, first give it a Prisma schema: npx prisma init.'

  test.each([
    ['what was built, which its build would remove', { 'dist/keep.txt': '' }, `dist is ${inTheWay}`],
    [
      'files of the same names',
      { 'src/app/main.ts': '', 'tsconfig.json': '{}', 'lib/index.js': '' },
      `src/app/main.ts, tsconfig.json are ${inTheWay}`,
    ],
    ['a file where it has a folder', { policies: '', lib: '' }, `policies is ${inTheWay}`],
  ])('beside %s it does nothing', async (_what, files, message) => {
    put('package.json', '{"type":"module"}')
    for (const [path, text] of Object.entries(files)) put(path, text)
    const before = tree()
    expect(await prismapi('init')).toEqual(error(message))
    expect(await prismapi('init --dry-run')).toEqual(error(message))
    expect(tree()).toEqual(before)
    expectTold(message)
  })

  test('everything that is in the way is told at once', async () => {
    const scripts = { start: 'echo OWN START' }
    put('package.json', JSON.stringify({ scripts, devDependencies: { prisma: '7.10.0' } }))
    put('dist/keep.txt', '')
    put('policies', '')
    mkdirSync(join(root, '.env'))
    const before = tree()
    const { status, said } = await prismapi('init')
    expect([status, said.split('\n')]).toEqual([
      1,
      [
        'error 5 things are in the way, and nothing was written:',
        '  - package.json has prisma, but Prisma finds no schema here. Name it in prisma.config.ts. For a new application, run npm uninstall prisma first.',
        `  - dist, policies are ${inTheWay}`,
        '  - package.json: there is a script "start" already, and the application has one of that name. Rename yours, or run prismapi init in an empty folder.',
        '  - package.json: prismapi is made of ES modules. Run npm pkg set type=module.',
        '  - .env is a folder, and a file of that name is needed. Rename it.',
      ],
    ])
    expect(tree()).toEqual(before)
  })

  test('where nothing collides it goes on, and leaves what is there as it is', async () => {
    put('package.json', '{"type":"module"}')
    const own = { 'lib/index.js': 'own', 'docs/plan.md': 'own', 'src/report.ts': 'own', 'policies/readme.txt': 'own' }
    for (const [path, text] of Object.entries(own)) put(path, text)
    expect((await prismapi('init')).status).toBe(0)
    expect(tree()).toMatchObject(own)
    expect(read('src/app/main.ts')).toContain('serve(')
  })

  test.each(['LICENCE', 'LICENSE.txt', 'LICENSE-MIT', 'COPYING', 'NOTICE', 'README', 'readme.rst', '.editorconfig'])(
    'a folder with %s alone is empty',
    async (file) => {
      put(file, 'own')
      expect((await prismapi('init')).status).toBe(0)
      expect(read(file)).toBe('own')
      expect(JSON.parse(read('package.json')).type).toBe('module')
    },
  )

  test('scripts of the same names are not mixed with those of the application', async () => {
    put('package.json', '{"type":"module","scripts":{"test":"exit 1","start":"echo OWN START"}}')
    const before = tree()
    expect(await prismapi('init')).toEqual(
      error(
        'package.json: there is a script "start" already, and the application has one of that name. Rename yours, or run prismapi init in an empty folder.',
      ),
    )
    expect(tree()).toEqual(before)
  })

  test('a script that was taken out of the application stays out', async () => {
    await prismapi('init')
    const { scripts, ...rest } = manifest()
    put('package.json', `${JSON.stringify({ ...rest, scripts: { start: 'echo OWN START' } }, null, 2)}\n`)
    expect(await prismapi('init')).toEqual(nothingToDo)
    expect(Object.keys(scripts)).toHaveLength(6)
  })

  test.each(['prisma', '@prisma/client'])('where %s is a dependency, there is a schema somewhere', async (name) => {
    put('package.json', JSON.stringify({ type: 'module', devDependencies: { [name]: '7.10.0' } }))
    const before = tree()
    expect(await prismapi('init')).toEqual(
      error(
        `package.json has ${name}, but Prisma finds no schema here. Name it in prisma.config.ts. For a new application, run npm uninstall ${name} first.`,
      ),
    )
    expect(tree()).toEqual(before)
  })

  test('a folder in the place of a file is told before anything is written', async () => {
    mkdirSync(join(root, '.env'))
    expect(await prismapi('init')).toEqual(error('.env is a folder, and a file of that name is needed. Rename it.'))
    expect(tree()).toEqual({})
  })

  test('npm start builds where npm finds a compiler, in this folder or in one above it', async () => {
    await prismapi('init')
    const { build, prestart } = manifest().scripts
    const inFolder = join(root, 'packages/api')
    put('packages/api/package.json', JSON.stringify({ type: 'module', scripts: { build: 'node built.cjs', prestart } }))
    put('packages/api/built.cjs', "require('node:fs').writeFileSync('built', '')")
    const started = () => {
      execFileSync('npm', ['run', '--silent', 'prestart'], { cwd: inFolder, stdio: 'ignore' })
      return readdirSync(inFolder).includes('built')
    }
    expect(build).toMatch(/ && tsc$/)
    expect(started()).toBe(false)
    put('node_modules/.bin/tsc', '')
    expect(started()).toBe(true)
  })

  test('what files that are kept lack is said', async () => {
    put('.env', '# mine\nexport DATABASE_URL=file:./mine.db\n')
    put('.gitignore', '/node_modules\n*.db\n')
    put('README.md', '# Mine\n')
    const { said } = await prismapi('init')
    expect(said.split('\n').filter((line) => /^kept|lacks/.test(line))).toEqual([
      'kept README.md',
      'kept .gitignore',
      '.gitignore lacks: dist/, prisma/generated/, *.db-shm, *.db-wal, *.db-journal, .env',
      'kept .env',
      '.env lacks: AUTH_SECRET',
    ])
    expect(await prismapi('init')).toEqual({
      status: 0,
      said: `${nothingToDo.said}
.gitignore lacks: dist/, prisma/generated/, *.db-shm, *.db-wal, *.db-journal, .env
.env lacks: AUTH_SECRET`,
    })
  })

  test.each([
    ['init --provider=mongodb', '--provider is sqlite or postgresql, not "mongodb".'],
    [
      'init blog',
      'Usage: prismapi init [--provider=sqlite|postgresql] [--auth=better-auth|oidc|keys|password] [--idempotency] [--dry-run]',
    ],
  ])('prismapi %s is refused, and nothing is written', async (line, message) => {
    expect(await prismapi(line)).toEqual(error(message))
    expect(tree()).toEqual({})
  })
})

describe('in a project with a Prisma schema', () => {
  const manifestText = `{
\t"name": "shop",
\t"type": "module",
\t"scripts": {
\t\t"start": "node index.js"
\t},
\t"devDependencies": {
\t\t"prisma": "7.10.0"
\t}
}
`
  const schema = (provider = 'sqlite', client = 'provider = "prisma-client"\n  output   = "../src/generated/prisma"') =>
    `// My schema.
generator client {
  ${client}
}

datasource db {
  provider = "${provider}"
}

model User {
  id     Int     @id @default(autoincrement())
  orders Order[]
}

model Order {
  id      Int  @id @default(autoincrement())
  owner   User @relation(fields: [ownerId], references: [id])
  ownerId Int
}
`

  function project(text = schema()) {
    put('package.json', manifestText)
    put('prisma/schema.prisma', text)
    put('index.js', 'export default 1\n')
  }

  const block = (name = 'resources', output = '../src/generated/prismapi') => `
generator ${name} {
  provider = "prisma-generator-resources"
  output   = "${output}"
}
`

  test('init adds what is missing, and a second run nothing', async () => {
    project()
    const { status, said } = await prismapi('init')
    expect(status).toBe(0)
    expect(Object.keys(tree())).toEqual([
      'index.js',
      'package.json',
      'policies/order.policy.ts',
      'policies/user.policy.ts',
      'prisma/schema.prisma',
      'src/app/main.ts',
      'src/app/v1/server.ts',
    ])
    expect(read('prisma/schema.prisma')).toBe(`${schema()}${block()}`)
    expect(said).toContain('+++ b/prisma/schema.prisma\n')
    expect(read('index.js')).toBe('export default 1\n')
    const before = tree()
    expect(await prismapi('init')).toEqual(nothingToDo)
    expect(tree()).toEqual(before)
  })

  test('package.json gets scripts and packages in its own indentation', async () => {
    project()
    await prismapi('init')
    expect(read('package.json')).toMatch(/^{\n\t"name": "shop",\n\t"type": "module",\n\t"scripts": {\n\t\t"start"/)
    expect(manifest()).toEqual({
      name: 'shop',
      type: 'module',
      scripts: {
        start: 'node index.js',
        api: 'tsx src/app/main.ts',
        'api:dev': 'prismapi dev',
        'api:client': 'prismapi client --server=v1 --out=api.ts',
      },
      dependencies: {
        '@prisma/adapter-better-sqlite3': '7.10.0',
        '@prisma/client': '7.10.0',
        'better-sqlite3': newNode ? '^13.2.0' : '^12.11.1',
        koa: expect.any(String),
        prismapi: '^0.1.0',
      },
      devDependencies: {
        '@prismapi/cli': '^0.1.0',
        '@prismapi/testing': '^0.1.0',
        '@types/koa': expect.any(String),
        prisma: '7.10.0',
        tsx: expect.any(String),
      },
      // Prisma's adapter asks for 12 by itself.
      ...(newNode && { overrides: { 'better-sqlite3': '$better-sqlite3' } }),
    })
  })

  test('the policies are those of prismapi policy: they deny, with every action in a comment', async () => {
    project()
    await prismapi('init')
    const written = read('policies/order.policy.ts')
    await prismapi('policy Order --force')
    expect(read('policies/order.policy.ts')).toBe(written)
    expect(written).toContain("// can(['update', 'delete'], { ownerId: user.id })")
    expect(written.match(/^ +can\(\[\n( +\/\/ .*\n)+ +\]\)$/gm)).toHaveLength(2)
  })

  test('the process imports by .js where TypeScript takes nothing else, and by .ts where it does', async () => {
    project()
    await prismapi('init --dry-run')
    const line = async () =>
      /^\+ {2}const \{ PrismaClient \} = await import\('(.+)'\)$/m.exec((await prismapi('init --dry-run')).said)
    expect((await line())?.[1]).toBe('../generated/prisma/client.js')
    put('tsconfig.json', '{ "compilerOptions": { "allowImportingTsExtensions": true } }')
    expect((await line())?.[1]).toBe('../generated/prisma/client.ts')
  })

  test.each([
    ['sqlite', 'file:./prisma/dev.db'],
    ['postgresql', 'postgresql://user:password@localhost:5432/db'],
    ['mysql', 'mysql://user:password@localhost:3306/db'],
  ])('the process says what DATABASE_URL looks like on %s', async (provider, url) => {
    project(schema(provider))
    await prismapi('init')
    expect(read('src/app/main.ts')).toContain(`throw new Error('DATABASE_URL must be set, or be in .env: ${url}')`)
  })

  test('the older generator of the Prisma client will do', async () => {
    project(schema('sqlite', 'provider = "prisma-client-js"'))
    await prismapi('init')
    expect(read('src/app/main.ts')).toContain("const { PrismaClient } = await import('@prisma/client')\n")
    expect(read('src/app/main.ts')).toContain(
      "const { resources } = await import('../../prisma/generated/resources.js')\n",
    )
    expect(read('prisma/schema.prisma')).toContain('  output   = "./generated"\n')
  })

  test.each([
    ['with braces in a comment', (text: string) => text.replace('client {\n', 'client {\n  // old: { a }\n')],
    ['that is indented', (text: string) => text.replace('generator client {', '  generator client {')],
    ['in a file without a last line break', (text: string) => text.trimEnd()],
  ])('the generator is added where there is one of the client %s', async (_what, change) => {
    project(change(schema()))
    expect((await prismapi('init')).status).toBe(0)
    expect(read('prisma/schema.prisma')).toBe(`${change(schema()).trimEnd()}\n${block()}`)
    expect(await prismapi('init')).toEqual(nothingToDo)
  })

  test('the generator gets a name that no other one has', async () => {
    const others = ['resources', 'resources2']
      .map((name) => `\ngenerator ${name} {\n  provider = "other"\n}\n`)
      .join('')
    project(`${schema()}${others}`)
    await prismapi('init')
    expect(read('prisma/schema.prisma')).toBe(`${schema()}${others}${block('resources3')}`)
    expect(await prismapi('init')).toEqual(nothingToDo)
  })

  test('a schema that would not be one with what is added stays as it is', async () => {
    project(`${schema()}\nenum IdempotencyKey {\n  A\n}\n`)
    const before = tree()
    const { status, said } = await prismapi('init --idempotency')
    expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining('"IdempotencyKey" cannot be defined') })
    expect(tree()).toEqual(before)
  })

  test('the older client is imported from where it is written to', async () => {
    project(schema('sqlite', 'provider = "prisma-client-js"\n  output   = "../src/gen"'))
    await prismapi('init')
    expect(read('src/app/main.ts')).toContain("const { PrismaClient } = await import('../gen/index.js')\n")
    expect(read('src/app/main.ts')).toContain("const { resources } = await import('../prismapi/resources.js')\n")
  })

  test('nothing is generated into node_modules, though the client be there', async () => {
    project(schema('sqlite', 'provider = "prisma-client-js"\n  output   = "../node_modules/.prisma/client"'))
    await prismapi('init')
    expect(read('prisma/schema.prisma')).toContain(block('resources', './generated'))
  })

  test('the process imports the ending of JavaScript that belongs to the ending of the client', async () => {
    const client = 'provider = "prisma-client"\n  output   = "../src/gen"\n  generatedFileExtension = "mts"'
    project(schema('sqlite', client))
    await prismapi('init')
    expect(read('src/app/main.ts')).toContain("const { PrismaClient } = await import('../gen/client.mjs')\n")
  })

  test.each([
    ['prisma.config.mjs', 'db/app.prisma'],
    ['.config/prisma.ts', '../db/app.prisma'],
  ])('%s says where the schema is', async (config, path) => {
    put('package.json', manifestText)
    put(config, `export default { schema: '${path}' }\n`)
    put('db/app.prisma', schema())
    expect((await prismapi('init')).status).toBe(0)
    expect(read('db/app.prisma')).toBe(`${schema()}${block()}`)
    expect(Object.keys(tree())).not.toContain('prisma/schema.prisma')
    expect(await prismapi('init')).toEqual(nothingToDo)
  })

  test.each([
    [
      "export default { schema: 'db/app.prisma' }",
      'There is no db/app.prisma, which prisma.config.mjs names as the schema. Correct it.',
    ],
    ["throw new Error('No.')", 'prisma.config.mjs cannot be read: No.'],
    [
      'export default {}',
      'There is no Prisma schema: neither schema.prisma nor prisma/schema.prisma. Name it in prisma.config.mjs.',
    ],
  ])('a configuration that leads to no schema is named: %s', async (config, message) => {
    put('package.json', manifestText)
    put('prisma.config.mjs', `${config}\n`)
    expect(await prismapi('init')).toEqual(error(message))
  })

  test('a file in the place of a folder is told before anything is written', async () => {
    project()
    put('policies', 'mine\n')
    const before = tree()
    expect(await prismapi('init')).toEqual(
      error('policies is a file, and policies/user.policy.ts belongs into a folder of that name. Rename it.'),
    )
    expect(tree()).toEqual(before)
  })

  test('everything that is refused is told at once', async () => {
    project(schema('sqlserver').replace('prisma-client', 'other'))
    put('package.json', '{}')
    const before = tree()
    const { status, said } = await prismapi('init --provider=sqlite --auth=keys')
    expect([status, said.split('\n')]).toEqual([
      1,
      [
        'error 5 things are in the way, and nothing was written:',
        '  - --auth is for a new application, and there is a Prisma schema already. docs/authentication.md shows what to write.',
        '  - --provider is for a new application, and there is a Prisma schema already. Leave it out.',
        '  - package.json: prismapi is made of ES modules. Run npm pkg set type=module.',
        '  - prisma/schema.prisma: init knows SQLite, PostgreSQL and MySQL, not sqlserver.',
        '  - prisma/schema.prisma: no Prisma Client is generated. Add a generator with the provider "prisma-client".',
      ],
    ])
    expect(tree()).toEqual(before)
  })

  test('a script "api" of another meaning is kept, and that is said', async () => {
    project()
    put('package.json', manifestText.replace('"start": "node index.js"', '"api": "echo api"'))
    const { said } = await prismapi('init')
    expect(manifest().scripts).toMatchObject({ api: 'echo api', 'api:dev': 'prismapi dev' })
    expect(said.split('\n')).toContain(
      'package.json has a script "api" of its own: npx tsx src/app/main.ts starts the API.',
    )
    expect(await prismapi('init')).toEqual(nothingToDo)
  })

  test('a server and a policy that are there are kept', async () => {
    project()
    put('src/app/shop/server.ts', '// mine\n')
    put('policies/user.policy.ts', '// mine\n')
    const { said } = await prismapi('init')
    expect(said).toContain('kept policies/user.policy.ts')
    expect(read('policies/user.policy.ts')).toBe('// mine\n')
    expect(Object.keys(tree())).not.toContain('src/app/v1/server.ts')
    expect(manifest().scripts['api:client']).toBe('prismapi client --server=shop --out=api.ts')
  })

  test.each([
    ['sqlite', 'sqliteClients', ['DateTime', 'String?', 'String?']],
    ['postgresql', 'postgresClients', ['DateTime @db.Timestamptz(3)', 'String?', 'String?']],
    ['mysql', 'PrismaMariaDb', ['DateTime', 'String? @db.Text', 'String? @db.LongText']],
  ])('--idempotency adds the model in the types of %s', async (provider, opened, types) => {
    project(schema(provider))
    await prismapi('init --idempotency')
    const columns = ['expiresAt', 'headers', 'body'].map(
      (name) => new RegExp(`^  ${name} +(.+)$`, 'm').exec(read('prisma/schema.prisma'))?.[1],
    )
    expect(columns).toEqual(types)
    expect(read('src/app/main.ts')).toContain(opened)
    expect(await prismapi('init --idempotency')).toEqual(nothingToDo)
    expect((await prismapi('doctor')).said).toContain('IdempotencyKey: it is annotated with @hidden.')
  })

  test.each([
    ['no ES module', manifestText.replace('"module"', '"commonjs"'), schema(), /prismapi is made of ES modules/],
    ['no package.json that can be read', '{', schema(), /^error package\.json cannot be read: /],
    ['a database that nobody has tried', manifestText, schema('sqlserver'), /init knows SQLite, PostgreSQL and MySQL/],
    ['no client', manifestText, schema('sqlite', 'provider = "other"'), /no Prisma Client is generated/],
    ['a mistake in the schema', manifestText, schema().replace('Order[]', 'Nothing[]'), /Nothing/],
  ])('with %s nothing is written', async (_what, packageText, schemaText, message) => {
    put('package.json', packageText)
    put('prisma/schema.prisma', schemaText)
    const before = tree()
    const { status, said } = await prismapi('init')
    expect(status).toBe(1)
    expect(said).toMatch(message)
    expect(tree()).toEqual(before)
  })
})
