import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkBuild } from '@prismapi/sql/databases/check-build'
import Sqlite from 'better-sqlite3'
import type { DatabaseKind, RunSql } from './template.ts'

/** Files: each a copy of the template, which lies in the folder from one run to the next. */
export function sqliteFiles(folder: string): DatabaseKind {
  const fileOf = (key: string) => path.join(folder, `${key}.db`)
  return {
    async prepare({ key, fill }) {
      checkBuild()
      if (existsSync(fileOf(key))) return
      mkdirSync(folder, { recursive: true })
      removeUnused(folder)
      const draft = path.join(folder, `${key}.${randomUUID()}`)
      try {
        const run: RunSql = (sql) => execute(draft, sql)
        // A file of its own, which exists from now on.
        run('PRAGMA user_version')
        await fill(`file:${draft}`, run)
        const whole = `${draft}.whole`
        await writeWhole(draft, whole)
        // Of several processes that make it at the same time, each finds a whole one.
        renameSync(whole, fileOf(key))
      } finally {
        for (const end of ['', '-wal', '-shm', '-journal', '.whole']) rmSync(draft + end, { force: true })
      }
    },

    async copy({ key }) {
      const own = mkdtempSync(path.join(tmpdir(), 'prismapi-test-'))
      const file = path.join(own, 'test.db')
      copyFileSync(fileOf(key), file, constants.COPYFILE_FICLONE)
      const now = new Date()
      utimesSync(fileOf(key), now, now)
      return { url: `file:${file}`, drop: async () => rmSync(own, { recursive: true, force: true }) }
    },
  }
}

function execute(file: string, sql: string): void {
  const database = new Sqlite(file)
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

/**
 * Writes what is committed into one file, even while a connection reads: a reader stops SQLite from emptying its log.
 */
async function writeWhole(file: string, whole: string): Promise<void> {
  // A connection that is still writing has to end before: one of this process cannot while it waits.
  const database = new Sqlite(file, { timeout: 0 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    await database.backup(whole)
  } catch (cause) {
    if ((cause as { readonly code?: string }).code !== 'SQLITE_BUSY') throw cause
    throw new Error('seed: a transaction in the template is still open. Close every connection before it ends.', {
      cause,
    })
  } finally {
    database.close()
  }
}

const week = 7 * 86_400_000

/** Templates of migrations that have changed since. Another process may remove files of its own meanwhile. */
function removeUnused(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const used = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (used < Date.now() - week) rmSync(file, { force: true })
  }
}
