import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Server, type Serving } from 'prismapi'
import type { DatabaseClient } from 'prismapi/types'
import { beforeEach, describe, expect, test } from 'vitest'
import { provider } from '../../support/database.ts'
import { plain, useServers } from '../../support/servers.ts'

// What is written after a commit waits as long as the writes of requests do: for another process, and for their transactions.

/** What is written of a tag, by its name. */
const writes: Record<string, (db: DatabaseClient, name: string) => Promise<unknown>> = {
  'an operation': (db, name) => db.tag.create({ data: { name } }),
  'a statement': (db, name) => db.$executeRaw`INSERT INTO "Tag" ("name") VALUES (${name})`,
  'a list of operations': (db, name) =>
    db.$transaction([
      db.tag.create({ data: { name: 'passing' } }),
      db.tag.update({ where: { name: 'passing' }, data: { name } }),
    ]),
  'a transaction': (db, name) =>
    db.$transaction(async (tx) => {
      const { id } = await tx.tag.create({ data: { name: 'passing' } })
      await tx.tag.update({ where: { id }, data: { name } })
    }),
}

/** What happens between the commit of a tag and what is written after it. */
let between: () => unknown = () => {}

let begin: () => void = () => {}

class Audited extends Server {
  override readonly name = 'v1'
  override readonly models = ['Tag'] as const
  override authorizable = () => false

  override serving(phase: Serving): void {
    phase.created('Tag', async ({ name }, { afterCommit }) => {
      if (name === 'holding') {
        begin()
        await sleep(2500)
      }
      const write = writes[name]
      if (!write) return
      afterCommit(async ({ db }) => {
        await between()
        await write(db, `audit of ${name}`)
      })
    })
  }
}

describe.runIf(provider === 'sqlite')('on SQLite', () => {
  const api = useServers(() => ({
    policies: new Map(),
    servers: [plain(Audited)],
    transactions: { holdMilliseconds: 5000 },
  }))
  const create = async (name: string): Promise<number> => {
    const body = { data: { type: 'tags', attributes: { name } } }
    return (await api.as(null)('POST', '/api/v1/tags', { body })).status
  }
  const audits = async () =>
    (await api.db.tag.findMany({ where: { name: { startsWith: 'audit of' } } })).map(({ name }) => name)

  const errors = () => api.logs.filter(({ level }) => level === 'error')

  beforeEach(async () => {
    await api.db.tag.deleteMany({
      where: { OR: [{ name: { startsWith: 'audit of' } }, { name: { in: Object.keys(writes) } }] },
    })
    api.logs.length = 0
  })

  test.each(Object.keys(writes))('%s waits for another process that writes', async (kind) => {
    const [main] = await api.db.$queryRawUnsafe<{ file: string }[]>('PRAGMA database_list')
    between = () => {
      const other = new Sqlite(main?.file as string)
      other.exec('BEGIN IMMEDIATE')
      setTimeout(() => {
        other.exec('COMMIT')
        other.close()
      }, 300)
    }
    expect(await create(kind)).toBe(201)
    expect([await audits(), errors()]).toEqual([[`audit of ${kind}`], []])
  })

  test('all of them wait for the transaction of a request', async () => {
    let held: Promise<number> | undefined
    between = async () => {
      const begun = new Promise<void>((resolve) => (begin = resolve))
      held ??= create('holding')
      await begun
    }
    expect(await create('an operation')).toBe(201)
    expect([await held, await audits(), errors()]).toEqual([201, ['audit of an operation'], []])
  })
})
