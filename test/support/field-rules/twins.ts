import { mcp } from '@prismapi/mcp'
import { difference } from '@prismapi/testing/internal/kit/leaks/walk'
import { schemasOf, shownRows, type World } from '@prismapi/testing/internal/kit/leaks/world'
import Koa from 'koa'
import type { Server } from 'prismapi'
import { expect } from 'vitest'
import { signToken } from '../../../src/app/auth.ts'
import type { Front } from '../agents/front.ts'
import { authSecret, type Send } from '../api.ts'
import { openTestDatabase } from '../database.ts'
import { openEvents } from '../event-stream.ts'
import { fieldServers, openServers } from '../field-policies.ts'
import { browserOf } from '../pages.ts'
import { videoId } from '../seeded.ts'
import { type Ask, asking, type Database, listen, type Running, startServers, type TextAnswer } from '../servers.ts'
import { type Guess, guessesOf } from './guesses.ts'
import {
  addSecrets,
  changeHidden,
  hiddenCells,
  hiddenNow,
  type hidingCallers,
  makeSame,
  pairAgain,
} from './hidden-cells.ts'
import { type Leak, leaking } from './leaks.ts'
import { withMoreDoors } from './more-doors.ts'
import type { RandomWrite } from './random-writes.ts'

type Caller = (typeof hidingCallers)[string]

interface Means {
  readonly leak?: Leak
  /** What is asked is asked of the door of agents. */
  readonly front?: Front
}

/** Two databases that differ only in values which a caller may not see, behind the same servers. */
export class Twins {
  readonly world: World
  /** What told them apart. */
  readonly differing: string[] = []
  /** How many requests were answered by each status. */
  readonly statuses = new Map<string, number>()
  /** Which fields the caller was told not to change. */
  readonly refused = new Set<string>()
  private readonly databases: readonly [Database, Database]
  private readonly running: readonly [Running, Running]
  private readonly ask: readonly [Ask, Ask]
  private readonly caller: Caller
  private hidden: string

  private constructor(
    given: Pick<Twins, 'world'> & { databases: Twins['databases']; running: Twins['running']; hidden: string },
    caller: Caller,
  ) {
    this.world = given.world
    this.databases = given.databases
    this.running = given.running
    this.hidden = given.hidden
    this.caller = caller
    this.ask = [this.running[0].as(caller.userId), this.running[1].as(caller.userId)]
  }

  static async open(server: new () => Server, caller: Caller, means: Means = {}): Promise<Twins> {
    const databases = [await openTestDatabase(), await openTestDatabase()] as const
    for (const { writer } of databases) await addSecrets(writer)
    const hidden = await hiddenNow(databases[0].writer, caller)
    await changeHidden(databases[1].writer, caller)
    const running = [await start(databases[0], server, means), await start(databases[1], server, means)] as const
    const world = await worldOf(databases, caller, running[0].api.servers[0] as World['server'])
    return new Twins({ world, databases, running, hidden }, caller)
  }

  async close(): Promise<void> {
    for (const each of this.running) await each.close()
    for (const each of this.databases) await each.close()
  }

  async read(url: string, headers: Send['headers'] = {}): Promise<readonly [TextAnswer, TextAnswer]> {
    const path = this.world.server.basePath + url
    return this.compare(`GET ${url}`, await this.both((ask) => ask('GET', path, { headers })))
  }

  /** Writes of the values that the caller may not see, of either database. */
  async guesses(): Promise<readonly Guess[]> {
    const [own, twin] = this.databases
    return guessesOf(this.world, await hiddenCells(own.writer, twin.writer, this.caller))
  }

  /** Carries out what was guessed, and looks at what it was about. */
  async guess({ write, resource, isOvertaken }: Guess): Promise<void> {
    if (!isOvertaken) return void ((await this.write(write)) && (await this.read(resource)))
    const [db, twin] = this.databases
    const [{ headers }] = await this.read(resource)
    await makeSame(db.writer, twin.writer)
    await this.write({ ...write, send: { ...write.send, headers: { 'If-Match': headers.get('etag') ?? '*' } } })
    await changeHidden(twin.writer, this.caller)
  }

  /** A page for people. */
  async page(url: string): Promise<void> {
    const { userId } = this.caller
    // One for both: pages have a seal that follows from it.
    const token = userId === null ? '' : `Bearer ${await signToken(userId, authSecret)}`
    const [mine, theirs] = await this.both(async (_, { at }) => {
      const browser = browserOf({
        url: (path) => at + path,
        authorization: async () => token,
      })
      const { basePath } = this.world.server
      const headers = userId === null ? {} : { Cookie: (await browser.signIn(userId, basePath)).cookie }
      const { status, text } = await browser.send(basePath + url, { headers })
      return `${status} ${text}`
    })
    if (/^(?:406|5)/.test(mine)) this.differing.push(`page of ${url}\nfails: ${mine.slice(0, 500)}`)
    if (mine !== theirs) this.differing.push(`page of ${url}\n${difference(mine, theirs)}`)
  }

  /** The start page, and resources whose pages are looked at: those of which values are hidden, and others. */
  pages(): readonly string[] {
    const own = schemasOf(this.world).flatMap((schema) => [
      `/${schema.type}`,
      ...shownRows(this.world, schema).map(({ id }) => `/${schema.type}/${encodeURIComponent(id)}`),
    ])
    return ['', ...own]
  }

  /** What a stream of posts says at first, and when what is seen of one changes, and what is hidden of all rows. */
  async stream(url: string): Promise<void> {
    const path = this.world.server.basePath + url
    const { userId } = this.caller
    const headers = userId === null ? {} : { Authorization: `Bearer ${await signToken(userId, authSecret)}` }
    const streams = await this.both((_, running) => openEvents(running.at + path, headers))
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    try {
      const [db, twin] = this.databases
      const first = await Promise.all(streams.map((each) => each.next()))
      await makeSame(db.writer, twin.writer)
      await changeHidden(twin.writer, this.caller)
      for (const { writer } of this.databases)
        await writer.post.update({ where: { id: 902 }, data: { updatedAt: '2025-01-01T00:00:00Z' } })
      const second = await Promise.all(streams.map((each) => each.next()))
      const told = [first, second].map((events) => events.map(({ id: _, ...event }) => JSON.stringify(event)))
      for (const [mine, theirs] of told)
        if (mine !== theirs) this.differing.push(`stream of ${url}\n${mine}\n${theirs}`)
    } finally {
      await Promise.all(streams.map((each) => each.close()))
    }
  }

  /** Carries a write out in both; was it taken. */
  async write({ method, path, send, namesVersion }: RandomWrite): Promise<boolean> {
    const [tag] = namesVersion ? await this.read(path.replace(/\/relationships\/.*|\?.*/, '')) : []
    const version = tag?.headers.get('etag')
    const headers = { ...send.headers, ...(version && { 'If-Match': version }) }
    const told = `${method} ${path} ${JSON.stringify({ ...send, headers })}`
    const answers = await this.both((ask) => ask(method, this.world.server.basePath + path, { ...send, headers }))
    const hasWritten = answers.some(({ status }) => status < 300)
    const hidden = hasWritten ? await hiddenNow(this.databases[0].writer, this.caller) : this.hidden
    if (hidden === this.hidden) {
      this.compare(told, answers)
      return hasWritten
    }
    // The answer may show a value that the write itself has opened.
    this.compare(told, answers.map((answer) => ({ ...answer, text: '', headers: new Headers() })) as never)
    this.hidden = hidden
    await pairAgain(this.databases[0].writer, this.databases[1].writer, this.caller)
    return hasWritten
  }

  /** How many answers had a status of that class: 2 for 2xx. */
  answered(kind: 'read' | 'written', hundreds: number): number {
    const counted = [...this.statuses].filter(([key]) => key.startsWith(`${kind} ${hundreds}`))
    return counted.reduce((sum, [, count]) => sum + count, 0)
  }

  private both<T>(work: (ask: Ask, running: Running) => Promise<T>): Promise<[T, T]> {
    const [mine, theirs] = this.running
    return Promise.all([work(this.ask[0], mine), work(this.ask[1], theirs)])
  }

  private compare<Pair extends readonly [TextAnswer, TextAnswer]>(told: string, answers: Pair): Pair {
    const [mine, theirs] = answers.map(whole) as [string, string]
    const status = `${told.startsWith('GET ') ? 'read' : 'written'} ${answers[0].status}`
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    for (const { detail } of answers[0].body?.errors ?? []) {
      const [, field] = /^You may not change the field (.+)\.$/.exec(detail) ?? []
      if (field) this.refused.add(field)
    }
    if (mine !== theirs) this.differing.push(`${told}\n${mine.slice(0, 2000)}\n${theirs.slice(0, 2000)}`)
    if (answers.some((answer) => answer.status >= 500)) this.differing.push(`${told}\nfails: ${mine.slice(0, 500)}`)
    return answers
  }
}

// In production there are none.
const withPages = { production: false }

/** A server that hides fields; with a leak, one that hides none stands behind it. */
async function start(database: Database, server: new () => Server, { leak, front }: Means): Promise<Running> {
  const asked = front && { features: [mcp()], before: () => front }
  const hiding = await startServers(database, { ...withMoreDoors(await fieldServers(server)), ...withPages, ...asked })
  if (!leak) return hiding
  const open = await startServers(database, { ...withMoreDoors(await openServers(server)), ...withPages })
  // Streams that are closed are no fault.
  const before = await listen(
    Object.assign(new Koa(), { silent: true }).use(leaking({ hiding, open }, leak)).callback(),
  )
  const close = async () => {
    for (const each of [before, hiding, open]) await each.close()
  }
  return { ...hiding, ...before, as: asking(before.at), close }
}

const whole = ({ status, text, headers }: TextAnswer): string =>
  [status, headers.get('etag'), headers.get('location'), text].join(' ')

/** Rows of both databases, so that it is asked with the values of the one and of the other. */
async function worldOf(databases: readonly Database[], { userId }: Caller, server: World['server']): Promise<World> {
  const shown = new Map<string, object[]>()
  const [ofAuthor, ofOwner, ofUser] = [{ authorId: userId ?? -1 }, { ownerId: userId ?? -1 }, { userId: userId ?? -1 }]
  for (const { reader } of databases) {
    const add = (model: string, rows: readonly object[]) => shown.set(model, [...(shown.get(model) ?? []), ...rows])
    add('Post', await reader.post.findMany({ where: { ...ofAuthor, deletedAt: null }, take: 3 }))
    add('Comment', await reader.comment.findMany({ where: ofAuthor, take: 3 }))
    add('Video', await reader.video.findMany({ where: ofOwner, take: 2 }))
    add('Profile', await reader.profile.findMany({ where: ofUser }))
    add('User', await reader.user.findMany({ where: { id: { in: [...new Set([userId ?? 3, 3, 4])] } } }))
    add('Post', await reader.post.findMany({ where: { id: { gt: 900 } } }))
    add('Post', await reader.post.findMany({ where: { authorId: 5, deletedAt: null }, take: 2 }))
    add('Video', await reader.video.findMany({ where: { id: { in: [videoId(1), videoId(4), videoId(8)] } } }))
    add('Comment', await reader.comment.findMany({ take: 2 }))
    add('Tag', await reader.tag.findMany({ where: { OR: [{ id: { lt: 3 } }, { id: { gt: 900 } }] } }))
    add('Profile', await reader.profile.findMany({ take: 2 }))
  }
  const missing = ['User', 'Post', 'Comment', 'Tag', 'Profile'].map((model) => [model, '999999'] as const)
  return { server, hidden: new Map(), shown: shown as never, missing: new Map([...missing, ['Video', videoId(99999)]]) }
}
