import { get, type IncomingMessage, ServerResponse } from 'node:http'
import type { CompiledServer } from '@prismapi/core/server/compile'
import { vi } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import { authSecret } from '../api.ts'
import type { Running } from '../servers.ts'

/** A block as a server wrote it: a comment line, or an event with the number that its id hides. */
export interface ToldBlock {
  /** By the clock of the test. */
  readonly at: number
  readonly event: string
  readonly data: string
  readonly number: number | null
  /** How long its id is: how an id looks tells nothing either. */
  readonly idLength: number
}

/** Streams of servers in this process: what they write is noted when it is written. */
export class ToldStreams {
  /** All blocks of a stream, by its name. */
  readonly told = new Map<string, ToldBlock[]>()
  private readonly last = new Map<string, string>()
  private readonly open = new Map<string, IncomingMessage>()
  private readonly seals = new Map<string, CompiledServer['cursorSeal']>()
  private readonly restore: () => void

  constructor() {
    const { write } = ServerResponse.prototype
    const note = (name: string, text: string) => this.note(name, text)
    const spy = vi.spyOn(ServerResponse.prototype, 'write').mockImplementation(function (
      this: ServerResponse,
      ...args: unknown[]
    ) {
      const name = this.req.headers['x-stream']
      if (typeof name === 'string') note(name, String(args[0]))
      return Reflect.apply(write, this, args) as boolean
    })
    this.restore = () => spy.mockRestore()
  }

  /** Opens one, or goes on with one of that name; answers with the status. */
  async begin(name: string, running: Running, { path, userId }: { path: string; userId: number | null }) {
    const [server] = running.api.servers
    if (server) this.seals.set(name, server.cursorSeal)
    const last = this.last.get(name)
    const headers = {
      Accept: 'text/event-stream',
      'X-Stream': name,
      ...(userId !== null && { Authorization: `Bearer ${await signToken(userId, authSecret)}` }),
      ...(last !== undefined && { 'Last-Event-ID': last }),
    }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(running.at + path, { headers, agent: false }, resolve).on('error', reject)
    })
    response.on('error', () => {}).resume()
    this.open.set(name, response)
    return response.statusCode
  }

  /** What it has told so far, and where it was: it begins anew. */
  forget(name: string): void {
    this.told.delete(name)
    this.last.delete(name)
  }

  end(name: string): void {
    this.open.get(name)?.destroy()
    this.open.delete(name)
  }

  close(): void {
    for (const response of this.open.values()) response.destroy()
    this.restore()
  }

  private note(name: string, text: string): void {
    const told = this.told.get(name) ?? []
    this.told.set(name, told)
    for (const block of text.split('\n\n').slice(0, -1)) {
      const lines = block.split('\n')
      const field = (of: string) =>
        lines
          .find((line) => line.startsWith(`${of}:`))
          ?.slice(of.length + 1)
          .trimStart() ?? ''
      const id = field('id')
      if (id !== '') this.last.set(name, id)
      const place = id === '' ? null : this.seals.get(name)?.open('live', id)
      const number = typeof place === 'string' ? Number(place.split(' ')[1]) : null
      const event = block.startsWith(':') ? block : field('event')
      told.push({ at: Date.now(), event, data: field('data'), number, idLength: id.length })
    }
  }
}
