import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type AppProcess, startApp } from './app-process.ts'

const type = 'application/vnd.api+json'
const program = fileURLToPath(new URL('processes/keyed-server.ts', import.meta.url))

interface Answered {
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
}

/** A request that has a key, and its answers so far; null where the process ended first. */
interface Sent {
  readonly title: string
  readonly answers: (Answered | null)[]
}

interface Running {
  readonly app: AppProcess
  readonly at: string
}

async function start(databaseUrl: string): Promise<Running> {
  const app = startApp({ DATABASE_URL: databaseUrl }, program)
  return { app, at: `http://127.0.0.1:${await app.firstLine}/api/v1/videos` }
}

async function post({ at }: Running, { title, answers }: Sent): Promise<void> {
  const attributes = { title, url: 'https://example.org/film' }
  const headers = { Accept: type, 'Content-Type': type, 'Idempotency-Key': `key of ${title}`.replaceAll(' ', '-') }
  const body = JSON.stringify({ data: { type: 'videos', attributes } })
  try {
    const response = await fetch(at, { method: 'POST', headers, body })
    const isReplayed = response.headers.has('Idempotency-Replayed')
    answers.push({ status: response.status, text: await response.text(), isReplayed })
  } catch {
    answers.push(null)
  }
}

const isSettled = ({ answers }: Sent): boolean => answers.at(-1)?.status === 201

/** Kills a server in the middle of its writes, several times, and repeats each of them until it is answered. */
export async function writeAndKill(databaseUrl: string, kills: number): Promise<readonly Sent[]> {
  const all: Sent[] = []
  for (let n = 1; n <= kills; n++) {
    const running = await start(databaseUrl)
    const round = Array.from({ length: 12 }, (_, i): Sent => ({ title: `film ${n}.${i}`, answers: [] }))
    all.push(...round)
    // The first has to get a connection, and compile what it asks.
    await post(running, round[0] as Sent)
    const left = all.filter((sent) => !isSettled(sent))
    // With each round more of them come to their end.
    let answered = 0
    const posted = left.map(async (sent) => {
      await post(running, sent)
      if (++answered === n) running.app.stop('SIGKILL')
    })
    await Promise.all([...posted, running.app.exit])
  }
  const last = await start(databaseUrl)
  for (let left = all; left.length > 0; left = left.filter((sent) => !isSettled(sent))) {
    await Promise.all(left.map((sent) => post(last, sent)))
    await pause(100)
  }
  last.app.stop('SIGKILL')
  await last.app.exit
  return all
}

/** Each has one answer, beside that it is being carried out; and some were interrupted before their commit, some behind it. */
export function expectOneAnswerEach(all: readonly Sent[]): void {
  const kinds = { before: 0, behind: 0 }
  for (const { answers } of all) {
    const done = answers.filter((answer) => answer !== null && answer.status !== 409) as readonly Answered[]
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    if (answers[0] === null) kinds[done[0]?.isReplayed ? 'behind' : 'before']++
  }
  expect({ before: kinds.before > 0, behind: kinds.behind > 0 }, JSON.stringify(kinds)).toEqual({
    before: true,
    behind: true,
  })
}
