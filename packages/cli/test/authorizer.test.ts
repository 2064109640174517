import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { authorizerTemplate } from '../src/generate/authorizer-template.ts'
import { run } from '../src/run.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-cli-'))
  put(
    'prisma/schema.prisma',
    'datasource db {\n  provider = "sqlite"\n}\n\nmodel Post {\n  id Int @id\n}\n\nmodel BlogPost {\n  id Int @id\n}\nmodel News {\n  id Int @id\n}\n',
  )
  put('src/app/v1/server.ts', '')
  put('src/app/helpers/other.ts', '')
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')

async function prismapi(line: string) {
  const said: string[] = []
  const note = (text: string) => void said.push(text)
  const status = await run(line.split(' '), root, { say: note, complain: note, paint: (_colour, text) => text })
  return { status, said: said.join('\n') }
}

describe('authorizer --resource', () => {
  test.each([
    ['posts', 'post', 'Post'],
    ['Post', 'post', 'Post'],
    ['blog-posts', 'blog-post', 'BlogPost'],
    ['blog-post', 'blog-post', 'BlogPost'],
    ['news', 'news', 'News'],
  ])('%s lies beside its schema', async (name, file, model) => {
    const path = `src/app/v1/${file}.authorizer.ts`
    expect(await prismapi(`authorizer ${name} --resource`)).toEqual({ status: 0, said: `created ${path}` })
    expect(read(path)).toBe(authorizerTemplate(model, model))
  })

  test('with several servers, one must be named', async () => {
    put('src/app/v2/server.ts', '')
    const said = 'error There are several servers: say --server=v1 or --server=v2.'
    expect(await prismapi('authorizer posts --resource')).toEqual({ status: 1, said })
    const created = { status: 0, said: 'created src/app/v2/post.authorizer.ts' }
    expect(await prismapi('authorizer posts --resource --server=v2')).toEqual(created)
    expect(existsSync(join(root, 'src/app/v1/post.authorizer.ts'))).toBe(false)
  })

  test.each([
    ['authorizer posts --resource --server=v9', 'There is no server "v9". Did you mean v1?'],
    ['authorizer postz --resource', 'No model or type "postz". Did you mean Post?'],
    ['authorizer ../../evil --resource', '"../../evil" is no name: letters, digits and dashes only.'],
    ['authorizer', 'Usage: prismapi authorizer <name> [--resource] [--server=<server>] [--force] [--dry-run]'],
    ['authoriser posts', 'There is no command "authoriser". Did you mean "authorizer"?'],
  ])('%s is refused', async (line, message) => {
    expect(await prismapi(line)).toEqual({ status: 1, said: `error ${message}` })
  })

  test('an option that does not exist is refused with the usage', async () => {
    const { status, said } = await prismapi('authorizer posts --resorce')
    expect(status).toBe(1)
    expect(said).toMatch(/--resorce[\s\S]*Usage: prismapi authorizer <name>/)
  })
})

test.each([
  ['Post', 'Post'],
  ['AVeryLongNameOfAModelIndeed', 'AVeryLongNameOfAModelIndeed'],
  ['OwnerOnly', null],
])('the file of %s is as Biome would write it, and lints clean', (name, model) => {
  const content = authorizerTemplate(name, model)
  const args = ['check', '--write', '--stdin-file-path=src/app/v1/x.authorizer.ts']
  const biome = spawnSync('node_modules/.bin/biome', args, { input: content, encoding: 'utf8' })
  expect(biome.stderr).toBe('')
  expect(biome.stdout).toBe(content)
})

describe('authorizer', () => {
  test('a general one is for all servers, however many there are', async () => {
    put('src/app/v2/server.ts', '')
    const path = 'src/app/authorizers/owner-only.authorizer.ts'
    expect(await prismapi('authorizer OwnerOnlyAuthorizer')).toEqual({ status: 0, said: `created ${path}` })
    expect(read(path)).toContain('export default class OwnerOnlyAuthorizer extends Authorizer {')
  })

  test('an existing file is kept, unless --force', async () => {
    const path = 'src/app/authorizers/mine.authorizer.ts'
    put(path, 'my own')
    const kept = { status: 0, said: `kept ${path} (it exists; --force replaces it)` }
    expect(await prismapi('authorizer mine')).toEqual(kept)
    expect(read(path)).toBe('my own')
    expect(await prismapi('authorizer mine --force')).toEqual({ status: 0, said: `replaced ${path}` })
    expect(read(path)).toBe(authorizerTemplate('Mine', null))
  })

  test('--dry-run shows the file and writes nothing', async () => {
    const { status, said } = await prismapi('authorizer mine --dry-run')
    expect(status).toBe(0)
    expect(said).toBe(`would be created src/app/authorizers/mine.authorizer.ts\n\n${authorizerTemplate('Mine', null)}`)
    expect(existsSync(join(root, 'src/app/authorizers'))).toBe(false)
  })
})

test.each([
  ['help', 'npx prismapi authorizer posts'],
  ['--help', 'npx prismapi authorizer posts'],
  ['authorizer --help', 'prismapi authorizer <name>'],
])('%s says what there is', async (line, there) => {
  const { status, said } = await prismapi(line)
  expect(status).toBe(0)
  expect(said).toContain(there)
})
