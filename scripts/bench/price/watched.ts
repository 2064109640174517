import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../../test/support/app-process.ts'
import { secret } from './served.ts'

/** What some work did to the server. */
export interface Seen<T> {
  readonly answer: T
  /** CPU time of the event loop alone. */
  readonly cpuMilliseconds: number
  /** The most CPU time of one turn of it. */
  readonly turnMilliseconds: number
  /** How long the event loop was kept from its next turn at the most. */
  readonly delayMilliseconds: number
  /** How long `/live` took meanwhile, at the most. */
  readonly liveMilliseconds: number
  /** By how much it raised the memory of the process at its peak. */
  readonly raisedMiB: number
}

export type Watched = Awaited<ReturnType<typeof watch>>

/** The example in a process of its own, as its users start it; another process asks it for `/live` all the time. */
export async function watch(url: string) {
  const app = startApp({
    DATABASE_URL: url,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    AUTH_SECRET: secret,
    NODE_OPTIONS: `--import=${new URL('./loop-delay.mjs', import.meta.url)}`,
  })
  const origin = /http:\/\/[^/]+/.exec(await app.firstLine)?.[0] ?? ''
  const probe = fork(path.join(import.meta.dirname, 'live-probe.mjs'), [origin], { execArgv: [] })
  const slowestLive = async (): Promise<number> => {
    probe.send('round')
    return ((await once(probe, 'message')) as [number])[0]
  }
  /** Since this was asked last. */
  const turns = async () => {
    const told = () => [...app.log().matchAll(/loop delay (\d+) ms, turn (\d+) ms/g)]
    const known = told().length
    app.stop('SIGUSR2')
    while (told().length === known) await sleep(10)
    const [, delay, turn] = told().at(-1) ?? []
    return { turnMilliseconds: Number(turn), delayMilliseconds: Number(delay) }
  }
  return {
    origin,
    async during<T>(work: () => Promise<T>): Promise<Seen<T>> {
      await turns()
      await slowestLive()
      await forgetPeak(app.pid)
      const { residentMiB } = await memoryOf(app.pid)
      const before = await mainThreadMilliseconds(app.pid)
      const answer = await work()
      const cpuMilliseconds = Math.round((await mainThreadMilliseconds(app.pid)) - before)
      const raisedMiB = (await memoryOf(app.pid)).peakMiB - residentMiB
      return { answer, cpuMilliseconds, ...(await turns()), liveMilliseconds: await slowestLive(), raisedMiB }
    },
    async end() {
      probe.disconnect()
      app.stop()
      await app.exit
    },
  }
}

/** Linux has the time of each thread; the first one has the id of the process. */
async function mainThreadMilliseconds(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(nanoseconds) / 1e6
}

/** The peak is what is resident now. */
const forgetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5')

async function memoryOf(pid: number) {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024)
  return { residentMiB: of('VmRSS'), peakMiB: of('VmHWM') }
}
