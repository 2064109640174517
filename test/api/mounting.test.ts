import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Koa, { type Middleware } from 'koa'
import { type ApiOptions, createApi, discover, type PrismApi } from 'prismapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'
import { openTestDatabase } from '../support/database.ts'
import { fencesOf } from '../support/documentation/fences.ts'

/** What docs/mounting.md shows, as it stands there. */
interface Page {
  mount(app: Koa, root: string, options: Omit<ApiOptions, 'servers' | 'policies'>): Promise<void>
  besides(api: PrismApi, others: RequestListener): Server
  forExpress(
    api: PrismApi,
  ): (request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1], next: () => void) => void
}

const root = path.resolve(import.meta.dirname, '../..')
const silent = { debug() {}, info() {}, warn() {}, error() {} }
let page: Page
let database: Awaited<ReturnType<typeof openTestDatabase>>
let options: Omit<ApiOptions, 'servers' | 'policies'>
const servers: Server[] = []

beforeAll(async () => {
  page = await modulesOf(fencesOf('docs/mounting.md').map(({ code }) => code))
  database = await openTestDatabase()
  options = { resources, clients: database, baseUrl: 'https://api.example.org', logger: silent }
})
afterAll(async () => {
  for (const server of servers) server.close()
  await database.close()
})

/** The exports of sources, each a whole file. */
async function modulesOf(sources: readonly string[]): Promise<Page> {
  // Inside the repository, or `prismapi` would not be found.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-mounting-'))
  try {
    const files = sources.map((code, i) => {
      const file = path.join(folder, `${i}.ts`)
      writeFileSync(file, code)
      return file
    })
    return Object.assign({}, ...(await Promise.all(files.map((file) => import(file)))))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function get(server: Server, url: string) {
  if (!server.listening) {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${url}`, { headers: { Connection: 'close' } })
  return {
    status: response.status,
    type: response.headers.get('Content-Type')?.split(';')[0],
    text: await response.text(),
  }
}

const openApi = async () => createApi({ ...options, ...(await discover({ root, resources })) })
const jsonApi = 'application/vnd.api+json'
const hello = { status: 200, type: 'text/plain', text: 'hello' }
const others: RequestListener = (_request, response) =>
  response.writeHead(200, { 'Content-Type': 'text/plain' }).end('hello')

async function expectPosts(server: Server) {
  const { status, type, text } = await get(server, '/api/v1/posts?page[size]=1')
  expect({ status, type }).toEqual({ status: 200, type: jsonApi })
  expect(JSON.parse(text).links.self).toBe('https://api.example.org/api/v1/posts?page%5Bsize%5D=1')
}

describe('an API is mounted as docs/mounting.md says', () => {
  test('in a Koa application, which answers everything else by itself', async () => {
    const own: Middleware = (ctx, next) => {
      if (ctx.path.startsWith('/api')) return next()
      ctx.body = 'hello'
    }
    const app = new Koa().use(own)
    await page.mount(app, root, options)
    const server = createServer(app.callback())
    await expectPosts(server)
    expect(await get(server, '/')).toEqual(hello)
    // It is mounted without notFound(): what no server has is the application's to answer.
    expect(await get(server, '/api')).toEqual({ status: 404, type: 'text/plain', text: 'Not Found' })
  })

  test('beside any listener of node:http', async () => {
    const server = page.besides(await openApi(), others)
    await expectPosts(server)
    expect(await get(server, '/')).toEqual(hello)
    expect(await get(server, '/api/v9/posts')).toMatchObject({ status: 404, type: jsonApi })
  })

  test('as middleware of Express, which hands on what is not its own', async () => {
    const middleware = page.forExpress(await openApi())
    const server = createServer((request, response) => middleware(request, response, () => others(request, response)))
    await expectPosts(server)
    expect(await get(server, '/')).toEqual(hello)
  })
})
