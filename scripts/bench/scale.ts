import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { largeModel } from '../../test/support/large-schema.ts'
import { fromSource, makeProject, type ScaleProject } from './scale/project.ts'
import { type ServerState, serve } from './scale/serve.ts'

// `npm run bench:scale`: what 200 models cost, beside 6 where it is a matter of more or less. Everything that is compared
// takes turns, and the median counts.

const rounds = 7
const requests = 400

async function main(): Promise<void> {
  const [large, small] = [makeProject(200), makeProject(6)]
  try {
    const table = { ...tools(large, small), ...(await servers(large, small)) }
    console.table(table)
    const [load = 0] = loadavg()
    console.log(`${availableParallelism()} cores, load ${load.toFixed(1)}: seconds count where nothing else runs.`)
  } finally {
    large.remove()
    small.remove()
  }
}

interface Figure {
  readonly measured: string
  readonly target: string
}

function tools(large: ScaleProject, small: ScaleProject): Readonly<Record<string, Figure>> {
  const [alone, ours, doctor]: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    alone?.push(timeOf(() => large.generate('alone.prisma')))
    ours?.push(timeOf(() => large.generate('schema.prisma')))
    doctor?.push(timeOf(() => large.doctor()))
  }
  small.generate('schema.prisma')
  for (const project of [large, small]) project.push()
  return {
    'prisma generate, without prismapi': { measured: seconds(median(alone)), target: '' },
    'prisma generate, what prismapi adds': { measured: seconds(median(ours) - median(alone)), target: '< 1 s' },
    'prismapi doctor': { measured: seconds(median(doctor)), target: '< 3 s' },
  }
}

async function servers(large: ScaleProject, small: ScaleProject): Promise<Readonly<Record<string, Figure>>> {
  const boots: number[] = []
  for (let round = 0; round < rounds; round++) {
    const server = await start(large)
    boots.push(server.state.bootMs)
    await server.stop()
  }
  const [a, b] = [await start(large), await start(small)]
  // Where nothing is asked of it, a server rests.
  const rest = a.state.memoryMiB
  const ratios: number[] = []
  let cpu = 0
  // The first rounds are for the compiler.
  for (let round = -3; round < rounds; round++) {
    const [many, few] = [await a.cpuOf(), await b.cpuOf()]
    if (round < 0) continue
    ratios.push(many / few)
    cpu = many
  }
  await Promise.all([a.stop(), b.stop()])
  return {
    boot: { measured: seconds(median(boots)), target: '< 2.5 s' },
    'memory at rest': { measured: `${rest.toFixed(0)} MiB`, target: '< 200 MiB' },
    'CPU of a request': { measured: `${cpu.toFixed(0)} µs`, target: '' },
    'CPU of a request, beside 6 models': { measured: `${median(ratios).toFixed(2)} ×`, target: '≤ 1.10 ×' },
  }
}

interface Serving {
  readonly state: ServerState
  /** Microseconds of the server's CPU for each request. */
  cpuOf(): Promise<number>
  stop(): Promise<unknown>
}

async function start({ folder }: ScaleProject): Promise<Serving> {
  const file = fileURLToPath(import.meta.url)
  const child = fork(file, ['serve', folder], { execArgv: fromSource })
  await once(child, 'message')
  const state = await stateOf(child, 'rest')
  const agent = new Agent({ keepAlive: true })
  const origin = `http://127.0.0.1:${state.port}/api/v1`
  await fill(origin, agent)
  return {
    state,
    async cpuOf() {
      const before = await stateOf(child, 'state')
      for (let i = 0; i < requests; i++) await read(`${origin}/${type}?include=children&page[size]=10`, agent)
      const after = await stateOf(child, 'state')
      return (after.cpuMicros - before.cpuMicros) / requests
    },
    stop() {
      agent.destroy()
      child.kill()
      return once(child, 'exit')
    },
  }
}

async function stateOf(child: ChildProcess, question: 'rest' | 'state'): Promise<ServerState> {
  child.send(question)
  const [state] = (await once(child, 'message')) as [ServerState]
  return state
}

const type = `${largeModel(3).toLowerCase()}s`
const related = `${largeModel(4).toLowerCase()}s`

/** Ten rows and their children, once. */
async function fill(origin: string, agent: Agent): Promise<void> {
  const found = JSON.parse(await read(`${origin}/${type}`, agent)) as { data: unknown[] }
  for (let i = found.data.length; i < 10; i++) {
    const { id } = await create(`${origin}/${type}`, { type, attributes: { title: `Row ${i}`, code: `${i}` } }, agent)
    const relationships = { parent: { data: { type, id } } }
    await create(
      `${origin}/${related}`,
      { type: related, attributes: { title: 'C', code: `${i}` }, relationships },
      agent,
    )
  }
}

function read(url: string, agent: Agent): Promise<string> {
  return new Promise((done, fail) => get(url, { agent }, (response) => done(textOf(response))).on('error', fail))
}

function create(url: string, data: object, agent: Agent): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/vnd.api+json' }
  return new Promise((done, fail) => {
    const sent = request(url, { agent, method: 'POST', headers }, async (response) =>
      done((JSON.parse(await textOf(response)) as { data: { id: string } }).data),
    )
    sent.on('error', fail).end(JSON.stringify({ data }))
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  if ((response.statusCode ?? 500) >= 400) throw new Error(text)
  return text
}

function timeOf(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(values: readonly number[] = []): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`

await (process.argv[2] === 'serve' ? serve(process.argv[3] as string) : main())
