import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from '@prismapi/cli/run'
import { type ModelName, Server } from 'prismapi'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectErrors } from '../support/answers.ts'
import { inPlace } from '../support/openapi-in-place.ts'
import { addPost } from '../support/rows.ts'
import { plain, useServers } from '../support/servers.ts'
import features from './reads.ts'

// A feature that stands outside of the packages has all seven parts, and the guide quotes it: docs/features.md.

class V1 extends Server {
  override readonly name: string = 'v1'
  override readonly models: readonly ModelName[] = ['User', 'Post', 'Tag', 'Video', 'Comment']
  override readonly browsable = true
  override authorizable() {
    return false
  }
}

const api = useServers(() => ({ servers: [plain(V1)], policies: new Map(), features }))
const get = (url: string, Accept?: string) => api.as(null)('GET', url, Accept ? { headers: { Accept } } : {})

test('the feature imports published names alone', () => {
  const from = [...readFileSync('test/features/reads.ts', 'utf8').matchAll(/ from '([^']+)'/g)].map(([, name]) => name)
  expect(new Set(from)).toEqual(new Set(['prismapi', 'prismapi/features']))
})

describe('the feature', () => {
  test('counts by its stage and its wrapper of the store, and says so in a header', async () => {
    const { id } = await addPost(api.db)
    const readsOf = async (url: string) => Number((await get(url)).headers.get('Database-Reads'))
    const one = await readsOf(`/api/v1/posts/${id}?countReads=yes`)
    expect(one).toBeGreaterThan(0)
    expect(await readsOf(`/api/v1/posts/${id}?countReads=yes&include=author,comments`)).toBeGreaterThan(one)
    expect(await readsOf('/api/v1/posts/0?countReads=yes')).toBeGreaterThan(0)
    for (const url of ['/api/v1/posts', '/api/v1/posts?countReads=no'])
      expect((await get(url)).headers.get('Database-Reads')).toBe(null)
  })

  test('has a query parameter, and the server refuses it with other values, and others like it', async () => {
    const refused = (parameter: string, detail: string) => ({
      status: '400',
      title: 'Invalid Query Parameter',
      detail,
      source: { parameter },
    })
    expectErrors(
      await get('/api/v1/posts?countReads=often'),
      refused('countReads', 'Write countReads=yes or countReads=no.'),
    )
    expectErrors(
      await get('/api/v1/posts?countWrites=yes'),
      refused('countWrites', 'Query parameter countWrites is not allowed.'),
    )
  })

  test('describes the parameter and the header in the OpenAPI document', async () => {
    const { components, paths } = inPlace((await get('/api/v1/openapi.json')).body, 'responses')
    expect(components.parameters.countReads).toEqual({
      name: 'countReads',
      in: 'query',
      description: 'Asks for `Database-Reads`.',
      schema: { type: 'string', enum: ['yes', 'no'] },
    })
    expect(components.headers['Database-Reads'].schema).toEqual({ type: 'integer' })
    const { parameters, responses } = paths['/api/v1/posts/{id}'].get
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/countReads' })
    expect(responses['200'].headers['Database-Reads']).toEqual({ $ref: '#/components/headers/Database-Reads' })
  })

  test('shows a link on the page of a resource', async () => {
    const { id } = await addPost(api.db)
    const { text } = await get(`/api/v1/posts/${id}`, 'text/html')
    expect(text).toContain('<p><a href="/api/v1/posts?countReads=yes">Count reads</a></p>')
  })

  test('has a command', async () => {
    const root = mkdtempSync(path.join(import.meta.dirname, '../.tmp-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    mkdirSync(path.join(root, 'src/app'), { recursive: true })
    writeFileSync(path.join(root, 'src/app/features.ts'), "export { default } from '../../../features/reads.ts'\n")
    const said: string[] = []
    const say = (line: string) => void said.push(line)
    expect(await run(['reads'], root, { say, complain: say, paint: (_, text) => text })).toBe(0)
    expect(said).toEqual(['curl -i "http://127.0.0.1:3000/api/v1/posts?countReads=yes"'])
  })
})
