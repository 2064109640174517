import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from '@prismapi/cli/run'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../support/databases/sqlite.ts'
import { prismapi } from '../support/prismapi-command.ts'

const root = resolve(import.meta.dirname, '../..')
let database: Awaited<ReturnType<typeof databases.makeTemplate>>

beforeAll(async () => {
  database = await databases.makeTemplate()
})
afterAll(() => database.drop())

/** The command, with the database of this file. */
const explained = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  prismapi(args, { env: { DATABASE_URL: `file:${database.name}`, ...env } })

const page = readFileSync(join(root, 'docs/explain.md'), 'utf8')
const examples = [
  ...page.matchAll(/^```sh\nnpx prismapi explain "([^"]+)"(?: --as=(\S+))?\n```\n\n```text\n([^`]*)\n```$/gm),
]

/** Without what differs from run to run. */
const lasting = (text: string) =>
  text
    .replace(/"20\d\d-[\d\-T:.+]+Z?"/g, '"<now>"')
    .replace(/\d+(\.\d+)? ms/g, '<n> ms')
    .replace(/^( {2}\w+) [\d.]+$/gm, '$1 <n>')
    .replace(/count of \d+/g, 'count of <n>')

test.each(examples.map(([, request = '', as = '', output = '']) => [request, as, output]))(
  '%s as %s says what its page shows',
  async (request, as, output) => {
    const { code, stdout, stderr } = await explained(['explain', request, ...(as ? [`--as=${as}`] : [])])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(lasting(stdout.trimEnd())).toBe(lasting(output))
  },
)

test('-v shows the SQL of each read', async () => {
  const { stdout } = await explained(['explain', '/api/v1/posts/1', '-v'])
  expect(stdout).toMatch(
    /reads\n {2}Post, rows by SQL: 1 row[\s\S]*?\n {4}select "t0"\."id".* from "Post"[\s\S]*?\n {4}with \[1,/,
  )
})

test.each([
  ['/api/v1/posts/60', 'no Post is found: the row does not exist, or the scope below hides it'],
  ['/api/v1/tags/4711', 'no Tag is found: the row does not exist'],
])('GET %s says why it is 404', async (url, verdict) => {
  const { stdout } = await explained(['explain', url])
  expect(stdout.split('\n').slice(0, 3)).toEqual([`GET ${url} as a guest: 404`, verdict, ''])
})

test('the page has a read and a write, and nothing else', () => {
  expect(page.match(/^```(?:sh|text)/gm)).toHaveLength(4)
  expect(examples.map(([, request]) => request?.split(' ')[0])).toEqual(['GET', 'DELETE'])
})

test('a write is explained until it is authorized, and not carried out', async () => {
  const write = (as: string) => explained(['explain', 'DELETE', '/api/v1/posts/1', `--as=${as}`, '--json'])
  const [denied, allowed] = [await write('member6@example.com'), await write('1')]
  expect(JSON.parse(denied.stdout)).toMatchObject({
    status: 403,
    errors: [{ status: '403' }],
    decisions: [{ action: 'delete', id: '1', allowed: false, rules: [{ effect: 'can', holds: false }] }],
  })
  expect(JSON.parse(allowed.stdout)).toMatchObject({ status: 200, decisions: [{ action: 'delete', allowed: true }] })
  const { stdout } = await explained(['explain', '/api/v1/posts/1', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ status: 200, levels: [{ model: 'Post', rows: 1 }] })
})

test('operations are explained, in the media type that they are sent in', async () => {
  const add = { op: 'add', data: { type: 'tags', attributes: { name: 'explained' } } }
  const update = { op: 'update', data: { type: 'posts', id: '1', attributes: { title: 'T' } } }
  const body = JSON.stringify({ 'atomic:operations': [add, update] })
  const request = ['explain', 'POST /api/v2/operations', `--body=${body}`, '--json']
  const [denied, allowed] = [await explained(request), await explained([...request, '--as=admin@example.com'])]
  expect(JSON.parse(denied.stdout)).toMatchObject({ status: 403, decisions: [{ action: 'create', allowed: false }] })
  expect(JSON.parse(allowed.stdout)).toMatchObject({
    ...{ status: 200, errors: [] },
    decisions: [{ action: 'create', type: 'tags', allowed: true }],
  })
})

test.each<[string, readonly string[], Record<string, string>, string]>([
  ['no request', ['explain'], {}, 'Usage: prismapi explain'],
  [
    'a path without that of a server',
    ['explain', 'PATCH comments/4'],
    {},
    'comments/4 is no path of a server. Paths begin with /api/v1 or /api/v2.',
  ],
  ['a path beside the servers', ['explain', '/comments/4'], {}, '/comments/4 explains nothing'],
  ['an unknown user', ['explain', '/api/v1/posts', '--as=nobody'], {}, 'There is no user nobody.'],
  ['no server there', ['explain', 'DELETE /live'], {}, '/live explains nothing'],
  [
    'production',
    ['explain', '/api/v1/posts'],
    { NODE_ENV: 'production' },
    'NODE_ENV is production, where nothing is explained',
  ],
])('%s is an error of one line', async (_, args, env, message) => {
  const { code, stdout, stderr } = await explained(args, env)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.startsWith(`error ${message}`)).toBe(true)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('a write is sent to nobody who would carry it out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prismapi-explain-'))
  const asked = join(folder, 'asked')
  const app = `import { appendFileSync } from 'node:fs'
    export default async () => ({
      handler(request, response) {
        appendFileSync(${JSON.stringify(asked)}, request.method + ' ')
        response.end()
      },
      headers: {},
      close() {},
    })`
  await mkdir(join(folder, 'src/app'), { recursive: true })
  await writeFile(join(folder, 'src/app/explain.mjs'), app)
  const complaints: string[] = []
  const terminal = {
    say() {},
    complain: (line: string) => void complaints.push(line),
    paint: (_: unknown, text: string) => text,
  }
  expect(await run(['explain', 'DELETE /posts/1'], folder, terminal)).toBe(1)
  expect(complaints).toEqual([expect.stringContaining('/posts/1 explains nothing')])
  expect(await readFile(asked, 'utf8')).toBe('OPTIONS ')
  await rm(folder, { recursive: true })
})
