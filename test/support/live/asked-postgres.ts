import pg from 'pg'
import { vi } from 'vitest'

/** Tells whether PostgreSQL has answered all that this process has asked it. */
export function noteAsked() {
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
    isAnswered: () => connecting.size === 0 && asking.size === 0,
    restore() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
