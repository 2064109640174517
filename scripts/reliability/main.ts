// `npm run reliability -- kill | fuzz | soak | streams`: what takes too long for a test. Read docs/reliability.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { numberOption } from '../number-option.ts'
import type { Place, Usage } from './app.ts'
import { fuzz, type Part } from './fuzz.ts'
import { killWhileWriting } from './kill.ts'
import { inPostgresPlace } from './postgres-place.ts'
import { soak } from './soak.ts'
import { type StreamProxy, streamProxies } from './stream-proxies.ts'
import { streamsUnderFire } from './streams.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A database that may be written to; by default a new SQLite file. */
    database: { type: 'string' },
    /** In a database of its own on the server of `TEST_POSTGRES_URL`. */
    postgres: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    kills: { type: 'string' },
    runs: { type: 'string' },
    seed: { type: 'string' },
    /** Of the endpoints, `3/20` the third of twenty parts. */
    part: { type: 'string' },
    load: { type: 'string' },
    disconnects: { type: 'string' },
    /** What clients of streams ask: `haproxy` or `nginx`, which the script starts before the server. */
    proxy: { type: 'string' },
  },
})
const seconds = (otherwise: number) => numberOption('--seconds', values.seconds, { otherwise })
const kills = numberOption('--kills', values.kills, { otherwise: 10, from: 0 })
const requests = numberOption('--runs', values.runs, { otherwise: 10_000 })
const seed = numberOption('--seed', values.seed, { otherwise: Date.now() % 2 ** 31, from: 0 })
const load = numberOption('--load', values.load, { otherwise: 0.7, from: 0, isFraction: true })
const disconnects = numberOption('--disconnects', values.disconnects, { otherwise: 100, from: 0 })

function partOf(text: string): Part {
  const [, number, of] = /^([^/]*)\/([^/]*)$/.exec(text) ?? []
  if (of === undefined) throw new Error(`--part must be two numbers such as 3/30, not "${text}".`)
  const all = numberOption('--part', of)
  return { number: numberOption('--part', number, { to: all }), of: all }
}

function proxyOf(name: string | undefined): StreamProxy | undefined {
  if (name === undefined || name in streamProxies) return name as StreamProxy | undefined
  throw new Error(`--proxy must be one of ${Object.keys(streamProxies).join(', ')}, not "${name}".`)
}

const opensMore = (before: Usage | undefined, after: Usage | undefined): boolean =>
  (after?.handles ?? 0) > (before?.handles ?? 0) + 20

const runs: Readonly<Record<string, (place: Place) => Promise<{ report: object; isGood: boolean }>>> = {
  async kill(place) {
    const report = await killWhileWriting(place, { seconds: seconds(60), kills })
    return { report, isGood: report.lost.length === 0 && report.strange.length === 0 }
  },
  async fuzz(place) {
    const part = partOf(values.part ?? '1/1')
    console.log(`Seed ${seed}: repeat it with --seed ${seed}.`)
    const report = await fuzz(place, { runs: requests, seed, part, tell: console.log })
    const { faults, before, after } = report
    // Each endpoint is asked something else, so memory rises and falls: `soak` tells a slow growth.
    const isLarger = after.memory > 2 * before.memory
    return { report, isGood: faults.length === 0 && !isLarger && !opensMore(before, after) }
  },
  async streams(place) {
    const report = await streamsUnderFire(place, { disconnects, kills, proxy: proxyOf(values.proxy) })
    const { differences, twice, endedInQuiet = 0, writes, leastWrites } = report
    const isTold = differences.length === 0 && twice.length === 0 && endedInQuiet === 0
    return { report, isGood: isTold && writes >= leastWrites }
  },
  async soak(place) {
    const report = await soak(place, { seconds: seconds(600), load })
    const { failed, growth, usage } = report
    return { report, isGood: failed === 0 && growth < 0.1 && !opensMore(usage[0], usage.at(-1)) }
  },
}

async function main(): Promise<void> {
  const run = runs[positionals[0] ?? '']
  if (!run) throw new Error(`Say which: npm run reliability -- ${Object.keys(runs).join(' | ')}`)
  const { report, isGood } = await (values.postgres ? inPostgresPlace(run) : inOwnFolder(run))
  console.log(JSON.stringify(report, null, 2))
  if (!isGood) process.exitCode = 1
}

async function inOwnFolder<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'prismapi-reliability-'))
  const databaseUrl = values.database ?? `file:${path.join(scratch, 'run.db')}`
  try {
    return await work({ folder: path.resolve(import.meta.dirname, '../..'), databaseUrl })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
