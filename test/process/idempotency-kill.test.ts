import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../support/databases/sqlite.ts'
import { expectOneAnswerEach, writeAndKill } from '../support/killed-writes.ts'

test('on SQLite each key has one effect, however often its process is killed in between', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-kill-'))
  const file = path.join(folder, 'killed.db')
  try {
    migrate(file)
    const all = await writeAndKill(`file:${file}`, 4)
    expectOneAnswerEach(all)
    const database = new Sqlite(file)
    const titles = database.prepare('SELECT title FROM Video').pluck().all()
    database.close()
    expect(titles.sort()).toEqual(all.map(({ title }) => title).sort())
  } finally {
    rmSync(folder, { recursive: true })
  }
})
