import { WatchedReader } from '@prismapi/live/watched-reader'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { vi } from 'vitest'

/** What this process is busy with: what it asks a database, and what streams wait for. */
export interface Busy {
  /** Whether there is nothing, and was nothing since this was asked last. */
  isQuiet(): boolean
  restore(): void
}

export function noteBusy(): Busy {
  const all = [noteWatches(), noteSqlite(), notePostgres()]
  return {
    // Each is asked, as each forgets what was.
    isQuiet: () => all.map((each) => each.isQuiet()).every(Boolean),
    restore() {
      for (const each of all) each.restore()
    },
  }
}

/** Watches that are reading; what they have read waits for the log, and so for the clock. */
function noteWatches(): Busy {
  let busy = 0
  const { readOrNothing, snapshot } = WatchedReader.prototype
  const noting = <Args extends unknown[], T>(read: (this: WatchedReader, ...args: Args) => Promise<T>) =>
    function (this: WatchedReader, ...args: Args): Promise<T> {
      busy++
      return read.apply(this, args).finally(() => busy--)
    }
  const spies = [
    vi.spyOn(WatchedReader.prototype, 'readOrNothing').mockImplementation(noting(readOrNothing)),
    vi.spyOn(WatchedReader.prototype, 'snapshot').mockImplementation(noting(snapshot)),
  ]
  return {
    isQuiet: () => busy === 0,
    restore() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

/** SQLite answers at once; who asked may ask more behind that. */
function noteSqlite(): Busy {
  const db = new Sqlite(':memory:')
  const statement = Object.getPrototypeOf(db.prepare('SELECT 1')) as Record<string, (...args: unknown[]) => unknown>
  db.close()
  let wasAsked = false
  const spies = ['all', 'get', 'run', 'iterate'].map((name) => {
    const ask = statement[name] as (...args: unknown[]) => unknown
    return vi.spyOn(statement, name).mockImplementation(function (this: unknown, ...args) {
      wasAsked = true
      return Reflect.apply(ask, this, args)
    })
  })
  return {
    isQuiet() {
      const wasQuiet = !wasAsked
      wasAsked = false
      return wasQuiet
    },
    restore() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

/** Whether PostgreSQL has answered all that this process has asked it. */
function notePostgres(): Busy {
  const [connecting, asking] = [new Set<pg.Client>(), new Set<pg.Client>()]
  const known = new WeakSet<pg.Client>()
  const note = (client: pg.Client) => {
    if (known.has(client)) return
    known.add(client)
    const emitter = client as NodeJS.EventEmitter
    // A client that has connected says so when it has been asked already: these are two things that it is busy with.
    emitter.on('connect', () => connecting.delete(client))
    emitter.on('drain', () => asking.delete(client))
    for (const event of ['end', 'error'])
      emitter.on(event, () => {
        connecting.delete(client)
        asking.delete(client)
      })
  }
  const { connect, query } = pg.Client.prototype
  const noting = (busy: Set<pg.Client>, work: (...args: never[]) => unknown) =>
    function (this: pg.Client, ...args: unknown[]) {
      note(this)
      busy.add(this)
      return Reflect.apply(work, this, args)
    } as never
  const spies = [
    vi.spyOn(pg.Client.prototype, 'connect').mockImplementation(noting(connecting, connect)),
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(noting(asking, query)),
  ]
  return {
    isQuiet: () => connecting.size === 0 && asking.size === 0,
    restore() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
