import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/app/database.ts'
import { databases } from '../../test/support/databases/sqlite.ts'
import { numberOption } from '../number-option.ts'

/**
 * `npm run bench:live`: 1,000 streams of 20 plans, 50 writes a second, on SQLite. Fails where an event comes later than 250 ms after its
 * commit in more than a twentieth of the cases, where a look takes more statements than one, or a stream more than 30 kB.
 */
const [plans, streams, writesPerSecond] = [20, 1000, 50]
const seconds = numberOption('The number of seconds', process.argv[2], { otherwise: 20 })

interface Usage {
  readonly rss: number
  readonly statements: number
  readonly looks: number
  readonly cpu: { readonly user: number; readonly system: number }
}

async function main(): Promise<void> {
  const { name, drop } = await databases.makeTemplate()
  const url = `file:${name}`
  const { writer, close } = await openDatabase(url)
  const posts: { id: number; plan: number }[] = []
  for (let i = 0; i < plans * 10; i++) {
    const plan = i % plans
    const title = `Plan-${plan}- 0`
    const data = { authorId: 2, slug: `live-${i}`, title, content: 'Text. '.repeat(50), publishedAt: new Date(0) }
    posts.push({ id: (await writer.post.create({ data })).id, plan })
  }
  const child = fork(path.join(import.meta.dirname, 'servers/live.ts'), [url], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const usage = async (): Promise<Usage> => {
    child.send('usage')
    return ((await once(child, 'message')) as [Usage])[0]
  }
  const committed = new Map<string, number>()
  const lags: number[] = []
  let events = 0
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const open = (plan: number) =>
    new Promise<void>((resolve, reject) => {
      const address = `http://127.0.0.1:${port}/api/v2/posts?filter[title][contains]=Plan-${plan}-&page[size]=10`
      get(address, { agent, headers: { Accept: 'text/event-stream' } }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`A stream was answered with ${answer.statusCode}.`))
        answer.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('snapshot')) return resolve()
          for (const [, title = ''] of text.matchAll(/"title":"(Plan-\d+- \d+)"/g)) {
            events++
            const at = committed.get(title)
            // It may come before the writer knows that it is committed.
            lags.push(at === undefined ? 0 : performance.now() - at)
          }
        })
      }).on('error', () => {})
    })
  try {
    // One of each plan, so that what the first of a plan costs is no cost of a stream.
    for (let plan = 0; plan < plans; plan++) await open(plan)
    const empty = await usage()
    for (let i = plans; i < streams; i += plans)
      await Promise.all(Array.from({ length: plans }, (_, plan) => open(plan)))
    await sleep(1000)
    const full = await usage()
    for (let i = 1; i <= seconds * writesPerSecond; i++) {
      const next = sleep(1000 / writesPerSecond)
      const { id, plan } = posts[i % posts.length] as (typeof posts)[number]
      const title = `Plan-${plan}- ${i}`
      await writer.post.update({ where: { id }, data: { title } })
      committed.set(title, performance.now())
      await next
    }
    await sleep(1000)
    const after = await usage()
    const sorted = lags.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.POSITIVE_INFINITY
    const perLook = (after.statements - full.statements) / (after.looks - full.looks)
    const perStream = (full.rss - empty.rss) / (streams - plans) / 1000
    const cpu = (after.cpu.user + after.cpu.system - full.cpu.user - full.cpu.system) / 1e6 / (seconds + 1)
    console.log(
      `${streams} streams of ${plans} plans, ${writesPerSecond} writes a second for ${seconds} s; Node ${process.version}, ${availableParallelism()} cores, SQLite\n`,
    )
    console.log(
      '| events | median | p95 | p99 | statements a look | memory a stream | CPU |\n|---|---|---|---|---|---|---|',
    )
    console.log(
      `| ${events} | ${at(0.5).toFixed(0)} ms | ${at(0.95).toFixed(0)} ms | ${at(0.99).toFixed(0)} ms | ${perLook.toFixed(2)} | ${perStream.toFixed(1)} kB | ${(cpu * 100).toFixed(0)} % |`,
    )
    if (
      at(0.95) > 250 ||
      perLook > 1.5 ||
      perStream > 30 ||
      events < seconds * writesPerSecond * (streams / plans) * 0.5
    )
      process.exitCode = 1
  } finally {
    child.disconnect()
    agent.destroy()
    await close()
    await drop()
  }
}

await main()
