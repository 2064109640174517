import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeProject, type Project } from './prisma-project.ts'

// Prisma's CLI on a project of its own, through the stand-in for the schema engine. A call takes one to three seconds.

export interface Backend {
  readonly provider: 'sqlite' | 'postgresql'
  url(project: Project, database: string): string
  query(url: string, sql: string): Promise<unknown[]>
  /** What a migration written by hand may hold: statements that end anywhere but at a semicolon. */
  readonly script: string
  /** A table that Prisma knows nothing about. */
  readonly litter: string
  /** What a command may not leave behind. */
  remains(project: Project): Promise<readonly string[]>
  drop(project: Project): Promise<void>
}

export function migratesEverything(backend: Backend): void {
  let project: Project
  let dev: string

  beforeAll(async () => {
    project = await makeProject(backend.provider)
    dev = backend.url(project, 'dev')
  })
  afterAll(() => backend.drop(project))

  test('`migrate dev` creates the database and the first migration', async () => {
    const { code, text } = await project.prisma(dev, 'migrate', 'dev', '--name', 'first')
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('now in sync with your schema') })
    expect(project.migrations()).toEqual([expect.stringMatching(/_first$/)])
    expect(await backend.query(dev, 'SELECT "id", "text" FROM "Note"')).toEqual([])
  })

  test('`migrate dev` makes a second migration, and keeps the rows', async () => {
    await backend.query(dev, `INSERT INTO "Note" ("text") VALUES ('kept') RETURNING "id"`)
    project.writeSchema('stars Int @default(3)')
    expect((await project.prisma(dev, 'migrate', 'dev', '--name', 'second')).code).toBe(0)
    expect(project.migrations()).toHaveLength(2)
    expect(await backend.query(dev, 'SELECT "text", "stars" FROM "Note"')).toEqual([['kept', 3]])
  })

  test('`migrate dev` applies a migration written by hand, and finds nothing left to do', async () => {
    project.writeMigration('20990101000000_by_hand', backend.script)
    expect((await project.prisma(dev, 'migrate', 'dev')).text).toContain('20990101000000_by_hand')
    expect((await project.prisma(dev, 'migrate', 'dev')).text).toContain('Already in sync')
    await backend.query(dev, `INSERT INTO "Note" ("text") VALUES ('quiet') RETURNING "id"`)
    expect(await backend.query(dev, 'SELECT "text" FROM "loudest"')).toEqual([['kept'], ['a; b']])
  })

  test('`migrate status` knows that every migration is applied', async () => {
    expect(await project.prisma(dev, 'migrate', 'status')).toMatchObject({
      code: 0,
      text: expect.stringContaining('Database schema is up to date!'),
    })
  })

  test('`migrate deploy` brings a database that does not exist to the same schema, and is quiet the second time', async () => {
    const fresh = backend.url(project, 'deployed')
    expect((await project.prisma(fresh, 'migrate', 'deploy')).text).toContain(
      'All migrations have been successfully applied',
    )
    expect((await project.prisma(fresh, 'migrate', 'deploy')).text).toContain('No pending migrations')
    expect(await backend.query(fresh, 'SELECT "text", "stars" FROM "Note"')).toEqual([])
  })

  test('`migrate deploy` refuses a database that has tables and no migrations', async () => {
    const pushed = backend.url(project, 'pushed')
    expect((await project.prisma(pushed, 'db', 'push')).text).toContain('now in sync with your Prisma schema')
    expect(await backend.query(pushed, 'SELECT "text", "stars" FROM "Note"')).toEqual([])
    expect(await project.prisma(pushed, 'migrate', 'deploy')).toMatchObject({
      code: 1,
      text: expect.stringContaining('P3005'),
    })
  })

  test('`db push` makes the views that migrations make, also over tables that it changes, and names those of none', async () => {
    const pushing = await makeProject(backend.provider)
    const url = backend.url(pushing, 'viewed')
    pushing.writeSchema('length Int', views)
    pushing.writeMigration(
      '20990101000000_views',
      `-- One; two\n${view('1')}\nCREATE VIEW "other" AS SELECT 1 AS "one";`,
    )
    const first = await pushing.prisma(url, 'db', 'push')
    expect(first.text).toContain('The view Shortest is in no migration: write CREATE VIEW "Shortest" AS … into one.')
    expect(first.text).toContain('now in sync with your Prisma schema')
    await backend.query(url, `INSERT INTO "Note" ("text", "length") VALUES ('one', 3) RETURNING "id"`)
    expect(await backend.query(url, 'SELECT "id", "text" FROM "longest"')).toEqual([[1, 'one']])
    await expect(backend.query(url, 'SELECT * FROM "other"')).rejects.toThrow('other')

    pushing.writeSchema('length BigInt', views)
    pushing.writeMigration('20990101000001_again', `DROP VIEW "longest";\n${view('2')}`)
    expect((await pushing.prisma(url, 'db', 'push', '--accept-data-loss')).code).toBe(0)
    expect(await backend.query(url, 'SELECT "id", "text" FROM "longest"')).toEqual([[2, 'one']])

    pushing.writeMigration('20990101000002_broken', 'DROP VIEW "longest"; CREATE VIEW longest AS SELEC "id";')
    expect((await pushing.prisma(url, 'db', 'push')).text).toMatch(
      /The view longest of the migration 20990101000002_broken was not made: .*syntax error/,
    )
    await backend.drop(pushing)
  })

  test('`migrate reset` empties the database, down to what Prisma does not know, and migrates it again', async () => {
    await backend.query(dev, backend.litter)
    expect((await project.prisma(dev, 'migrate', 'reset', '--force')).text).toContain('Database reset successful')
    expect(await backend.query(dev, 'SELECT "text" FROM "loudest"')).toEqual([])
    await expect(backend.query(dev, 'SELECT * FROM "litter"')).rejects.toThrow('litter')
  })

  test('`migrate deploy` stops at a migration that fails, and `migrate status` names it', async () => {
    project.writeMigration('20990101000001_broken', 'SELECT * FROM "nowhere";')
    expect(await project.prisma(dev, 'migrate', 'deploy')).toMatchObject({
      code: 1,
      text: expect.stringContaining('nowhere'),
    })
    expect((await project.prisma(dev, 'migrate', 'status')).text).toMatch(/failed:\s+20990101000001_broken/)
  })

  test('nothing is left behind', async () => {
    expect(await backend.remains(project)).toEqual([])
  })
}

const views = `generator client {
  provider        = "prisma-client"
  output          = "./generated"
  previewFeatures = ["views"]
}

view Longest {
  id   Int    @unique
  text String

  @@map("longest")
}

view Shortest {
  id Int @unique
}
`

const view = (times: string): string =>
  `CREATE VIEW "longest" AS SELECT "id" * ${times} AS "id", "text" FROM "Note" WHERE "length" > 2;`
