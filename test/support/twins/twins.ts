import { difference } from '@prismapi/testing/internal/kit/leaks/walk'
import type { World } from '@prismapi/testing/internal/kit/leaks/world'
import { french, german } from 'prismapi/languages'
import { signToken } from '../../../src/app/auth.ts'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import { authSecret } from '../api.ts'
import { browserOf, type PageAnswer } from '../pages.ts'
import { type Running, startServers } from '../servers.ts'
import { type Means, twinApplication } from './application.ts'
import { type Sight, TwinDatabases } from './twin-databases.ts'

/** What is asked of both. */
export interface Asked {
  readonly method: string
  /** Below the server. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What a browser sends: the fields of a form, and which language it prefers. */
export interface Sent {
  readonly fields?: Readonly<Record<string, string>>
  readonly language?: string
}

/** An answer, or a page. */
export interface Told extends PageAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
  readonly body?: any
}

/** A guest, two members and an editor. */
export const twinCallers = [null, 1, 2, 4] as const
export type TwinCaller = (typeof twinCallers)[number]

/** The application over two databases that differ in what nobody sees, each behind a server of its own. */
export class Twins {
  /** What told them apart. */
  readonly differing: string[] = []
  /** How many requests were answered by each status, by their kinds. */
  readonly statuses = new Map<string, number>()
  world!: World
  running: readonly Running[] = []
  readonly means: Means
  private readonly forgets: string | null
  private readonly databases: TwinDatabases
  private caller: TwinCaller = null

  private constructor({ means, forgets }: Pick<Twins, 'means'> & { forgets: string | null }, databases: TwinDatabases) {
    this.means = means
    this.forgets = forgets
    this.databases = databases
  }

  /** The rows of a model may be forgotten, and are not hidden then. */
  static async open(means: Means, provider: FixtureProvider, forgets: string | null = null): Promise<Twins> {
    return new Twins({ means, forgets }, await TwinDatabases.open(provider))
  }

  get clients() {
    return this.databases.clients
  }

  async close(): Promise<void> {
    await this.stop()
    await this.databases.close()
  }

  /** Begins anew, as another caller; with streams of others. */
  async begin(caller: TwinCaller, production: boolean, others: readonly TwinCaller[] = []): Promise<void> {
    await this.stop()
    this.differing.length = 0
    const sight = await this.databases.refill([caller, ...others])
    const { resources, clients } = this.databases
    const parts = {
      ...twinApplication(this.means, this.forgets),
      resources,
      production,
      languages: { de: german, fr: french },
      // How long a write may wait for others is no part of what is compared.
      transactions: { timeout: 60_000, holdMilliseconds: 60_000, maxWait: 60_000 },
    }
    this.running = await Promise.all(clients.map((each) => startServers(each, parts)))
    this.caller = caller
    this.world = this.worldOf(sight)
  }

  /** Asks both; what differs is noted. */
  async ask({ method, path, headers = {}, body }: Asked): Promise<readonly [Told, Told]> {
    const url = this.world.server.basePath + path
    const answers = await this.both((running) => running.as(this.caller)(method, url, { headers, body }))
    const told = `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`} ${JSON.stringify(headers)}`
    return this.compare(method === 'GET' ? 'read' : 'written', told, answers)
  }

  /** A page; with fields, what a form with these is answered. */
  async page(path: string, { fields, language = 'en' }: Sent): Promise<readonly [Told, Told]> {
    const { basePath } = this.world.server
    const own = path.startsWith(basePath) ? path : basePath + path
    // One token for both: pages have a seal that follows from it.
    const token = this.caller === null ? null : await signToken(this.caller, authSecret)
    const answers = await this.both(async ({ at }) => {
      const authorization = async () => `Bearer ${token}`
      const browser = browserOf({ url: (each: string) => at + each, authorization })
      const cookie = token && { Cookie: (await browser.signIn(Number(this.caller), basePath)).cookie }
      const headers = { 'Accept-Language': language, ...cookie }
      return fields ? browser.submit(own, fields, headers) : browser.send(own, { headers })
    })
    return this.compare(fields ? 'form' : 'page', `page ${path} ${JSON.stringify(fields ?? {})}`, answers)
  }

  /** How many answers of a kind had a status of that class: 2 for 2xx. */
  answered(kind: string, hundreds: number): number {
    const counted = [...this.statuses].filter(([key]) => key.startsWith(`${kind} ${hundreds}`))
    return counted.reduce((sum, [, count]) => sum + count, 0)
  }

  private both<T>(work: (running: Running) => Promise<T>): Promise<[T, T]> {
    return Promise.all(this.running.map(work)) as Promise<[T, T]>
  }

  private compare(kind: string, asked: string, answers: readonly [Told, Told]): readonly [Told, Told] {
    const isTimed = asked.includes('/changes')
    const [mine, theirs] = answers.map((answer) => wholeOf(answer, isTimed)) as [string, string]
    const status = `${kind} ${answers[0].status}`
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (mine !== theirs)
      this.differing.push(`${asked}\n${difference(mine, theirs)}\n${mine.slice(0, 3000)}\n${theirs.slice(0, 3000)}`)
    if (answers.some(({ status: each }) => each >= 500)) this.differing.push(`${asked}\nfails: ${mine.slice(0, 500)}`)
    return answers
  }

  private async stop(): Promise<void> {
    for (const each of this.running) await each.close()
    this.running = []
  }

  private worldOf({ hidden, shown }: Sight): World {
    const server = this.running[0]?.api.servers[0] as unknown as World['server']
    const rowsOf = (model: string) => hidden.get(model) ?? []
    const missing = { Membership: '998_999', Place: 'xx_yy' } as Record<string, string>
    return {
      server,
      hidden: new Map(
        [...hidden.keys()].map((model) => [model, rowsOf(model).map((row) => ({ row, markers: [], values: [] }))]),
      ),
      shown,
      missing: new Map(Object.keys(server.resources.models).map((model) => [model, missing[model] ?? '999999'])),
    }
  }
}

/** Where an instant is that of the database's own clock, and the number of a change, of which a write that began anew took two. */
const untimed = (text: string): string =>
  text
    .replaceAll(/(?<="at":"|datetime=")20(?!24)\d\d-[^"]*/g, '…')
    .replaceAll(/(?<=\/changes\/|"type":"changes","id":")\d+/g, '…')

function wholeOf({ status, headers, text }: Told, isTimed: boolean): string {
  const body = untimed(text)
  const left = new Set(body === text && !isTimed ? ['date'] : ['date', 'etag'])
  const told = [...headers].filter(([name]) => !left.has(name)).map(([name, value]) => `${name}: ${value}`)
  return [status, ...told, body].join('\n')
}
