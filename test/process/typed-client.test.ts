import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../src/app/auth.ts'
import { type AppProcess, startApp } from '../support/app-process.ts'
import { migrate } from '../support/databases/sqlite.ts'
import { fencesOf } from '../support/documentation/fences.ts'
import { prismapi } from '../support/prismapi-command.ts'

const root = path.resolve(import.meta.dirname, '../..')
const fixtures = path.join(root, 'test/fixtures')
const secret = 'a secret of the tests that is long enough'

let folder: string
let app: AppProcess | undefined
let at: string
let token: string

interface Ended {
  readonly code: number
  readonly output: string
}

const run = (cwd: string, command: string, ...args: string[]): Promise<Ended> =>
  new Promise((resolve) =>
    execFile(command, args, { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + (error ? stderr : '') }),
    ),
  )

// The commands of docs/clients.md, by section: each installs what it needs, and makes a client.
const [own = [], openapi = []] = fencesOf('docs/clients.md')
  .filter(({ language }) => language === 'sh')
  .map(({ code }) =>
    code
      .trim()
      .split('\n')
      .map((command) => command.split(' ')),
  )
const [install = [], make = []] = own
const [write = [], translate = []] = openapi

// A folder of its own with the TypeScript that `prismapi init` installs, which openapi-typescript does not take.
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-typed-'))
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const quietly = ['--silent', '--no-audit', '--no-fund']
  const typescript = `typescript@${devDependencies.typescript}`
  expect((await run(folder, 'npm', 'install', '--save-dev', ...quietly, typescript)).code).toBe(0)
  expect((await run(folder, 'npm', ...install.slice(1), ...quietly)).code).toBe(0)
  const file = path.join(folder, 'client.db')
  migrate(file)
  const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: `file:${file}`, AUTH_SECRET: secret }
  expect(await startApp(env, 'scripts/seed.ts').exit).toMatchObject({ code: 0 })
  app = startApp(env)
  at = /http:\/\/127\.0\.0\.1:\d+/.exec(await app.firstLine)?.[0] as string
  token = await signToken(3, secret)
}, 120_000)
afterAll(async () => {
  app?.stop()
  await app?.exit
  rmSync(folder, { recursive: true, force: true })
})

/** A copy of a fixture, beside the packages. */
function copyOf(fixture: string): string {
  const place = path.join(folder, fixture)
  mkdirSync(place)
  cpSync(path.join(fixtures, fixture), place, { recursive: true })
  return place
}

/** `npx prismapi …`, with its file written below that folder. */
const written = (place: string, command: readonly string[], cwd = root) =>
  prismapi(
    command.slice(2).map((arg) => arg.replace('--out=', `--out=${place}/`)),
    { cwd },
  )

const compile = (place: string, config = '.') =>
  run(place, process.execPath, path.join(folder, 'node_modules/typescript/bin/tsc'), '-p', config, '--pretty', 'false')

/** The lines of calls in `wrong.ts`, and those that do not compile. */
async function refusedCalls(place: string) {
  const config = JSON.parse(readFileSync(path.join(place, 'tsconfig.json'), 'utf8'))
  writeFileSync(path.join(place, 'wrong.json'), JSON.stringify({ ...config, files: ['wrong.ts'] }))
  const { output } = await compile(place, 'wrong.json')
  const refused = [...output.matchAll(/^wrong\.ts\((\d+),\d+\): error TS/gm)].map(([, line]) => Number(line))
  const lines = readFileSync(path.join(place, 'wrong.ts'), 'utf8').split('\n')
  const calls = lines.flatMap((line, index) => (line.startsWith('api.') ? [index + 1] : []))
  return { calls, refused: [...new Set(refused)] }
}

/** What the fixture's `main.ts` finds and writes. */
async function useOf(place: string, slug: string): Promise<object> {
  const said = await run(place, process.execPath, '--import', import.meta.resolve('tsx'), 'main.ts', at, token, slug)
  expect(said).toMatchObject({ code: 0 })
  return JSON.parse(said.output)
}

const used = {
  found: Array(5).fill({ title: expect.stringContaining('Post 1'), author: expect.stringMatching(/\w/) }),
  written: { id: expect.stringMatching(/^\d+$/), faults: [] },
  again: { id: null, faults: [['/data/attributes/title', 'The title field is required.']] },
}

describe('the client that prismapi client writes', () => {
  let place: string

  beforeAll(async () => {
    place = copyOf('typed-client')
    expect(await written(place, make)).toMatchObject({
      code: 0,
      stdout: 'written api.ts\n'.replace('api', `${place}/api`),
    })
  })

  test('compiles with what uses it, by the strictest settings', async () => {
    expect(await compile(place)).toEqual({ code: 0, output: '' })
  })

  test('takes no name that the server does not have, beside right ones neither', async () => {
    const { calls, refused } = await refusedCalls(place)
    expect(refused).toEqual(calls)
    expect(calls.length).toBeGreaterThan(18)
  })

  test('reads, writes, and is told at which field something is wrong', async () => {
    // A filter with more than a URL has room for is sent by QUERY.
    expect(await useOf(place, 'typed')).toEqual({ ...used, many: ['Post 1', 'Post 2'], methods: ['QUERY'] })
  })

  test('sends atomic requests by their media type, and filters by what is related', async () => {
    const operations = copyOf('typed-operations')
    const command = make.map((part) => part.replace('--server=v1', '--server=v2'))
    expect(await written(operations, command)).toMatchObject({ code: 0 })
    expect(await compile(operations)).toEqual({ code: 0, output: '' })
    expect(await useOf(operations, 'typed-operation')).toEqual({ written: 2, found: ['First.'] })
  })

  test('of a dozen models it is a file of less than 165 kB, whose names are the server’s at any depth', async () => {
    // Inside the package, or `prismapi` would not be found.
    const helpdesk = mkdtempSync(path.join(root, 'test/.tmp-'))
    const large = copyOf('large-client')
    try {
      cpSync(path.join(fixtures, 'helpdesk'), helpdesk, { recursive: true })
      expect(await written(large, make, helpdesk)).toMatchObject({ code: 0 })
    } finally {
      rmSync(helpdesk, { recursive: true })
    }
    expect(statSync(path.join(large, 'api.ts')).size).toBeLessThan(165_000)
    expect(await compile(large)).toEqual({ code: 0, output: '' })
    const { calls, refused } = await refusedCalls(large)
    expect(refused).toEqual(calls)
    expect(calls.length).toBeGreaterThan(4)
  })
})

// The page of a URL shows the request as a program that uses the client.
describe('what a page shows as its request', () => {
  const name = 'The request, for the typed client'
  const shownAt = async (url: string): Promise<string> => {
    const headers = { Accept: 'text/html', Authorization: `Bearer ${token}` }
    const response = await fetch(at + url, { headers })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const [, code = ''] = new RegExp(`<pre tabindex="0" aria-label="${name}"><code>(.*?)</code>`, 's').exec(text) ?? []
    const plain = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
    return code.replace(/&(?:lt|gt|quot|#39|amp);/g, (each) => plain[each as keyof typeof plain])
  }
  /** A list may come by a key for each value, too. */
  const asked = (url: string) => {
    const { pathname, searchParams: sent } = new URL(url, at)
    return [pathname, Object.fromEntries([...sent.keys()].map((key) => [key, sent.getAll(key).join()]))]
  }

  test.each([
    [
      'v1',
      [
        '/api/v1',
        '/api/v1/posts',
        "/api/v1/posts?filter[title][contains]=it's&include=author,comments.author&sort=-createdAt&page[size]=5&fields[posts]=title",
        '/api/v1/posts?filter[author][name]=Admin&filter[or][0][title]=a&filter[or][1][slug]=b',
        '/api/v1/posts?filter[publishedAt][isNull]=true&include=&fields[users]=name,role',
        '/api/v1/posts?filter[author]=3,4&filter[createdAt][gte]=2020-01-01T00:00:00Z&sort=-slug',
        '/api/v1/posts/1?include=author',
        '/api/v1/posts/1/comments?include=author',
        '/api/v1/posts/1/author',
        '/api/v1/posts/1/relationships/tags',
      ],
    ],
    [
      'v2',
      [
        '/api/v2/videos?filter[featured]=true&sort=-title&page[size]=3',
        '/api/v2/videos/-stats?groupBy=featured&withStats[*]=count&withStats[rating]=avg',
        '/api/v2/tags?filter[id]=1&filter[id]=2',
      ],
    ],
  ])('compiles against the client of %s, and asks for the same', async (server, urls) => {
    const place = path.join(folder, `shown-${server}`)
    mkdirSync(place)
    const command = make.map((part) => part.replace('--server=v1', `--server=${server}`))
    expect(await written(place, command)).toMatchObject({ code: 0 })
    const { compilerOptions } = JSON.parse(readFileSync(path.join(fixtures, 'typed-client/tsconfig.json'), 'utf8'))
    const files = urls.map((_, i) => `page-${i}.ts`)
    for (const [i, file] of files.entries()) {
      const shown = await shownAt(urls[i] as string)
      expect(shown, urls[i]).toContain('await api.GET(')
      writeFileSync(path.join(place, file), `${shown}\ndeclare const token: string\nvoid data, error\n`)
    }
    // Each request is told of, in place of being sent.
    const main = `Object.assign(globalThis, { token: 'x', fetch: async ({ url }: Request) => (console.log(url), new Response('{}')) })
for (const file of ${JSON.stringify(files)}) await import('./' + file)`
    writeFileSync(path.join(place, 'main.ts'), main)
    writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...files, 'api.ts'] }))
    expect(await compile(place)).toEqual({ code: 0, output: '' })
    const said = await run(place, process.execPath, '--import', import.meta.resolve('tsx'), 'main.ts')
    expect(said.output.trim().split('\n').map(asked)).toEqual(urls.map(asked))
  })
})

describe('the types that openapi-typescript makes of the document of a caller', () => {
  let place: string

  beforeAll(async () => {
    place = copyOf('openapi-client')
    const headers = { Authorization: `Bearer ${token}` }
    const document = await (await fetch(`${at}/api/v1/openapi.json`, { headers })).text()
    writeFileSync(path.join(place, 'openapi.json'), document)
    expect(await run(place, 'npx', ...translate.slice(1))).toMatchObject({ code: 0 })
  })

  test('the command of docs/clients.md writes the document of all', async () => {
    expect(await written(folder, write)).toMatchObject({ code: 0 })
    const { paths } = JSON.parse(readFileSync(path.join(folder, 'openapi.json'), 'utf8'))
    expect(Object.keys(paths)).toContain('/api/v1/posts')
  })

  test('a client compiles against them', async () => {
    expect(await compile(place)).toEqual({ code: 0, output: '' })
  })

  test('what the server does not have, or the caller may not do, does not compile', async () => {
    const { calls, refused } = await refusedCalls(place)
    expect(refused).toEqual(calls)
    expect(calls.length).toBeGreaterThan(10)
  })

  test('it reads, writes, and is told at which field something is wrong', async () => {
    expect(await useOf(place, 'translated')).toEqual(used)
  })
})
