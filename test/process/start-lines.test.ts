import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectTold } from '../support/documentation/told.ts'
import { type LinkedProject, linkProject } from '../support/linked-project.ts'

let project: LinkedProject

const notThere = (from: string): string =>
  `${from} imports prisma/generated/resources.ts, which is not there. Run "npx prisma generate", or correct the import.`
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const endingWith = (...lines: readonly string[]): RegExp => new RegExp(`(?:${lines.map(escaped).join('|')})$`)
const older =
  'prisma/generated/resources.ts was not generated from what prisma/schema.prisma says now. Run "npx prisma generate".'
const noTable = 'The database has no table for the model User of the Prisma schema. Run "npx prisma migrate deploy".'
const noPort = 'PORT must be a number from 0 to 65535, not "abc".'
const otherDatabase =
  'The URL of the database begins with postgresql:, and the application is made for SQLite (file:). Correct DATABASE_URL, or change the provider of the Prisma schema and the function that opens the clients.'

beforeAll(() => {
  project = linkProject({ NODE_ENV: 'development' })
})
afterAll(() => project.remove())

const fileOf = (name: string): string => path.join(project.folder, name)

/** Changes a file of the project while something is done. */
async function changed(name: string, change: (text: string) => string, work: () => Promise<void>): Promise<void> {
  const text = readFileSync(fileOf(name), 'utf8')
  writeFileSync(fileOf(name), change(text))
  try {
    await work()
  } finally {
    writeFileSync(fileOf(name), text)
  }
}

/** What `/ready` answers. */
async function readyAt(url: string): Promise<object> {
  const response = await fetch(`${url}/ready`)
  return { status: response.status, body: await response.json() }
}

// In the order in which a new application meets them.
describe('a new application says in one line', () => {
  test('that its files were not generated yet, whatever is started', async () => {
    await project.prismapi('init')
    const client =
      'src/app/database.ts imports prisma/generated/client/client.ts, which is not there. Run "npx prisma generate", or correct the import.'
    // Node loads files side by side: either of those that are missing may be met first.
    const either = (from: string) => [notThere(from), client]
    expect(either('src/app/main.ts').map((line) => `${line}\n`)).toContain(await project.refusal())
    for (const file of ['src/app/token.ts', 'prisma/seed.ts']) {
      const run = project.node('--conditions=prismapi/source', '--import', 'tsx', file)
      await expect(run).rejects.toThrow(endingWith(`${file}: ${client}\n`))
    }
    const lines = ['src/app/app.ts', 'src/app/api.ts']
      .flatMap(either)
      .map((line) => `src/app/explain.ts cannot be read: ${line}\n`)
    await expect(project.prismapi('explain', 'GET /api/v1/posts')).rejects.toThrow(endingWith(...lines))
  })

  test('that there is no database', async () => {
    await project.prisma('generate')
    const line = 'file:./prisma/dev.db: this database does not exist. Run "npx prisma migrate deploy".\n'
    expect(await project.refusal()).toBe(line)
  })

  test('that a migration is not applied: then it starts, and is ready as soon as somebody has applied it', async () => {
    writeFileSync(fileOf('prisma/dev.db'), '')
    const { url, said, stop } = await project.serve()
    try {
      expect(
        said()
          .split('\n')
          .filter((line) => line.includes(JSON.stringify(noTable))),
      ).toHaveLength(1)
      const unavailable = { status: 503, body: { status: 'unavailable', failed: ['migrations'] } }
      expect(await readyAt(url)).toEqual(unavailable)
      await project.prisma('db', 'push')
      await expect.poll(() => readyAt(url)).toEqual({ status: 200, body: { status: 'ok' } })
      expect(said()).toContain(`prismapi listens on ${url}/api/v1\n`)
    } finally {
      await stop()
    }
  })

  test('that the Prisma schema was changed since, unless by spaces alone', async () => {
    const hide = (text: string) => text.replace('  email ', '  /// @hidden\n  email ')
    await changed('prisma/schema.prisma', hide, async () => expect(await project.refusal()).toBe(`${older}\n`))
    const indent = (text: string) => text.replaceAll('\n', '\r\n').replaceAll('  ', '\t')
    await changed('prisma/schema.prisma', indent, async () => expect(await project.refusal()).toBe('It started.'))
  })

  test('that DATABASE_URL is of another kind of database', async () => {
    expect(await project.refusal({ DATABASE_URL: 'postgresql://me:secret@127.0.0.1/blog' })).toBe(`${otherDatabase}\n`)
  })

  test('that PORT is no number', async () => {
    expect(await project.refusal({ PORT: 'abc' })).toBe(`${noPort}\n`)
  })

  test.each([
    ['src/app/v1/server.ts', "scope('Post', visible)", 'scopes({ Post: visible })'],
    ['policies/post.policy.ts', 'override abilities', 'viewTags() {}\n  override abilities'],
    ['requests/post.request.ts', 'title', 'titel'],
  ])('which file is wrong, and of which server: %s', async (file, from, to) => {
    await changed(
      file,
      (text) => text.replace(from, to),
      async () => expect((await project.refusal()).split('\n')).toEqual([expect.stringContaining(file), '']),
    )
  })
})

test.each([notThere('src/app/main.ts'), older, noPort])('the documentation quotes %j', expectTold)
