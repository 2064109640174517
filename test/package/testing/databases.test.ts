import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestDatabasesOptions, testDatabases } from '@prismapi/testing'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// Databases of test files on SQLite, of a schema that is small.

let root: string
let folder: string
let seeded: string[]

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'prismapi-databases-'))
  folder = path.join(root, 'cache')
  seeded = []
  migration('1_init', 'CREATE TABLE Tag (id INTEGER PRIMARY KEY, name TEXT);')
})
afterEach(() => rmSync(root, { recursive: true }))

function migration(name: string, sql: string): void {
  mkdirSync(path.join(root, 'migrations', name), { recursive: true })
  writeFileSync(path.join(root, 'migrations', name, 'migration.sql'), sql)
}

const fileOf = (url: string): string => url.replace(/^file:/, '')

function inDatabase<T>(url: string, work: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(fileOf(url), { fileMustExist: true })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const execute = (url: string, sql: string) => inDatabase(url, (database) => void database.exec(sql))
const names = (url: string) => inDatabase(url, (database) => database.prepare('SELECT name FROM Tag').pluck().all())

const seed = (url: string) => {
  seeded.push(url)
  execute(url, "PRAGMA journal_mode = WAL; INSERT INTO Tag (name) VALUES ('news')")
}
const databases = (more: Partial<TestDatabasesOptions> = {}) =>
  testDatabases({ migrations: path.join(root, 'migrations'), name: 'seeded', folder, seed, ...more })

describe('a database of a test file', () => {
  test('is migrated and seeded, and nobody else’s', async () => {
    const all = databases()
    const [one, other] = await Promise.all([all.open(), all.open()])
    execute(one.url, "INSERT INTO Tag (name) VALUES ('mine')")
    expect([names(one.url), names(other.url)]).toEqual([['news', 'mine'], ['news']])
    await one.close()
    await other.close()
  })

  test('is made while another process removes files of its own', async () => {
    mkdirSync(folder)
    // What is listed, and is not there any more when it is looked at.
    symlinkSync('gone', path.join(folder, 'draft-journal'))
    const database = await databases().open()
    expect(names(database.url)).toEqual(['news'])
    await database.close()
  })

  test('is gone when it is closed, or its block ends', async () => {
    let url: string
    {
      await using database = await databases().open()
      url = database.url
      expect(existsSync(fileOf(url))).toBe(true)
    }
    expect(existsSync(path.dirname(fileOf(url)))).toBe(false)
  })

  test('takes milliseconds, once there is a template', async () => {
    const all = databases()
    await all.prepare()
    const started = performance.now()
    for (let i = 0; i < 20; i++) await (await all.open()).close()
    expect((performance.now() - started) / 20).toBeLessThan(100)
  })
})

describe('the template', () => {
  const urls = async (more?: Partial<TestDatabasesOptions>) => {
    const database = await databases(more).open()
    const found = names(database.url)
    await database.close()
    return found
  }

  test('is made once, also for the next run', async () => {
    expect(await urls()).toEqual(['news'])
    expect(await urls()).toEqual(['news'])
    expect(seeded).toHaveLength(1)
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.db$/)])
  })

  test('is made anew after another migration, another file that it is made from, by another seed and name', async () => {
    const from = [path.join(root, 'rows.txt')]
    writeFileSync(from[0] as string, 'one')
    await urls({ from })
    migration('2_more', "INSERT INTO Tag (name) VALUES ('migrated')")
    expect(await urls({ from })).toEqual(['migrated', 'news'])
    writeFileSync(from[0] as string, 'two')
    await urls({ from })
    expect(seeded).toHaveLength(3)
    expect(await urls({ from, seed: (url) => execute(url, 'DELETE FROM Tag') })).toEqual([])
    await urls({ from, name: 'other' })
    expect(seeded).toHaveLength(4)
  })

  test('without a name has what the migrations make, and functions of one text write rows of their own', async () => {
    const migrations = path.join(root, 'migrations')
    const tagged = (tag: string) =>
      testDatabases({ migrations, folder, seed: (url) => execute(url, `INSERT INTO Tag (name) VALUES ('${tag}')`) })
    const all = [tagged('one'), tagged('two')]
    const opened = await Promise.all([...all, ...all].map((each) => each.open()))
    expect(opened.map(({ url }) => names(url))).toEqual([['one'], ['two'], ['one'], ['two']])
    expect(readdirSync(folder)).toHaveLength(1)
    for (const database of opened) await database.close()
  })

  test('without a name, a function that fails leaves no database behind', async () => {
    let url = ''
    const { open } = testDatabases({
      folder,
      migrate(asked) {
        url = asked
        throw new Error('Not yet.')
      },
    })
    await expect(open()).rejects.toThrow('Not yet.')
    expect([url.startsWith('file:'), existsSync(fileOf(url))]).toEqual([true, false])
  })

  test('is whole, though somebody still reads it', async () => {
    let reader: Sqlite.Database | undefined
    const found = await urls({
      seed(url) {
        seed(url)
        reader = new Sqlite(fileOf(url))
        reader.exec('BEGIN; SELECT name FROM Tag')
        execute(url, "INSERT INTO Tag (name) VALUES ('more')")
      },
    })
    reader?.close()
    expect(found).toEqual(['news', 'more'])
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.db$/)])
  })

  test('is not made while somebody still writes', async () => {
    let writer: Sqlite.Database | undefined
    const opening = urls({
      seed(url) {
        writer = new Sqlite(fileOf(url))
        writer.exec("BEGIN; INSERT INTO Tag (name) VALUES ('half')")
      },
    })
    await expect(opening).rejects.toThrow(
      'seed: a transaction in the template is still open. Close every connection before it ends.',
    )
    writer?.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('may be made by anything that knows the URL', async () => {
    const migrate = (url: string) => execute(url, 'CREATE TABLE Tag (name TEXT)')
    const database = await testDatabases({ migrate, folder }).open()
    expect(names(database.url)).toEqual([])
    await database.close()
  })

  test('is whole, or not there: what failed is tried again', async () => {
    let isReady = false
    const all = databases({
      seed: () => {
        if (!isReady) throw new Error('Not yet.')
      },
    })
    await expect(all.open()).rejects.toThrow('Not yet.')
    expect(readdirSync(folder)).toEqual([])
    isReady = true
    await (await all.open()).close()
  })

  test('is removed a week after it was last used, when another one is made', async () => {
    await urls()
    const [old = ''] = readdirSync(folder)
    const long = new Date(Date.now() - 8 * 86_400_000)
    utimesSync(path.join(folder, old), long, long)
    migration('2_more', 'CREATE TABLE Other (id INTEGER)')
    await urls()
    expect(readdirSync(folder)).not.toContain(old)
  })

  test('comes of a migration that works', async () => {
    migration('2_wrong', 'CREATE TABEL x')
    await expect(databases().open()).rejects.toThrow('near "TABEL": syntax error')
  })
})

test('there are none of other servers', async () => {
  await expect(databases({ server: 'mysql://127.0.0.1/x' }).open()).rejects.toThrow(
    'server: the URL is not that of PostgreSQL. Leave it out to test on SQLite.',
  )
})

describe('migrations for another kind of database', () => {
  const lock = (provider: string) =>
    writeFileSync(path.join(root, 'migrations/migration_lock.toml'), `provider = "${provider}"\n`)
  const said = (provider: string, wanted: string, cure: string) =>
    `testDatabases: ${path.join(root, 'migrations')} is for ${provider}, and the tests would run on ${wanted}, which answers otherwise. ${cure}.`

  test('are refused, with the cure', async () => {
    lock('postgresql')
    await expect(databases().open()).rejects.toThrow(
      said(
        'postgresql',
        'sqlite',
        "Pass server: 'postgresql://…', where the tests make and drop databases of their own",
      ),
    )
    lock('sqlite')
    await expect(databases({ server: 'postgresql://127.0.0.1/none' }).prepare()).rejects.toThrow(
      said('sqlite', 'postgresql', 'Leave server out'),
    )
    lock('mysql')
    await expect(databases().prepare()).rejects.toThrow(said('mysql', 'sqlite', 'Make databases of that kind yourself'))
  })

  test('and those for the same are not', async () => {
    lock('sqlite')
    const database = await databases().open()
    expect(names(database.url)).toEqual(['news'])
  })
})
