import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../support/databases/sqlite.ts'

// `npx prismapi mcp`: an agent on a developer's machine, by standard input and output.

const root = resolve(import.meta.dirname, '../..')
let database: Awaited<ReturnType<typeof databases.makeTemplate>>
const started: ChildProcess[] = []

beforeAll(async () => {
  database = await databases.makeTemplate()
})
afterAll(async () => {
  for (const each of started) each.kill()
  await database.drop()
})

const { PATH = '', HOME = '' } = process.env

async function open(...args: readonly string[]) {
  const child = spawn(process.execPath, ['scripts/prismapi.mjs', 'mcp', '--server=/api/v2', ...args], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH, HOME, NO_COLOR: '1', DATABASE_URL: `file:${database.name}` },
  })
  started.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let id = 0
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  async function ask(method: string, params: object = {}): Promise<any> {
    say({ id: ++id, method, params })
    return JSON.parse((await lines.next()).value)
  }
  const { result } = await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  expect(result.serverInfo.name).toBe('v2')
  say({ method: 'notifications/initialized' })
  return {
    ask,
    tools: async () => (await ask('tools/list')).result.tools.map(({ name }: { name: string }) => name),
    async close() {
      child.stdin.end()
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

const newTag = { name: 'create', arguments: { type: 'tags', attributes: { name: 'By an agent' } } }

test('reads as its user, and writes nothing', async () => {
  const agent = await open('--as=admin@example.com')
  expect(await agent.tools()).toEqual(['describe', 'list', 'get', 'stats', 'explain'])
  const read = await agent.ask('tools/call', { name: 'get', arguments: { type: 'tags', id: '1' } })
  expect(read.result.structuredContent.data).toMatchObject({ type: 'tags', id: '1' })
  expect(await agent.ask('tools/call', newTag)).toMatchObject({
    error: { message: 'The tool create is not there: prismapi mcp was started without --write.' },
  })
  expect(await agent.close()).toBe(0)
})

test('writes with --write', async () => {
  const agent = await open('--as=admin@example.com', '--write')
  expect(await agent.tools()).toContain('create')
  const { result } = await agent.ask('tools/call', newTag)
  expect(result.structuredContent.data.attributes).toMatchObject({ name: 'By an agent' })
  expect(await agent.close()).toBe(0)
})
