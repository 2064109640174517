import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeProject, type Project } from '../support/generator-project.ts'
import { packPackages } from '../support/packed.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = ['docs/generators.md', 'docs/doctor.md'].map((page) => readFileSync(join(root, page), 'utf8'))
const shown = [...pages.join('\n').matchAll(/^```sh\nnpx prismapi (.+)\n```\n\n```text\n([^`]*(?:`[^`]+)*?)\n```$/gm)]

let project: Project

// The command as it is published: compiled, and run by a Node that reads no TypeScript.
const command = 'node_modules/prismapi/bin/prismapi.mjs'
beforeAll(async () => {
  project = await makeProject('example')
  for (const name of ['policies', 'requests', 'tsconfig.json'])
    cpSync(join(root, name), join(project.folder, name), { recursive: true })
  const modules = join(project.folder, 'node_modules')
  rmSync(modules)
  symlinkSync(join((await packPackages()).folder, 'node_modules'), modules)
})
afterAll(() => project.remove())

test.each(shown.map(([, line = '', output = '']) => [line, output]))(
  'prismapi %s says what its page shows',
  async (line, output) => {
    const said = await project.run(command, ...line.split(' '))
    expect(said.output.trimEnd()).toBe(output)
    expect(said.code).toBe(output.startsWith('error ') ? 1 : 0)
  },
)

test('the pages show each kind of answer', () => {
  expect(shown.map(([, line]) => line?.split(' ')[0])).toEqual([
    'policy',
    'request',
    'query',
    'server',
    'resources',
    'openapi',
    'client',
    'policy',
    'schema',
    'doctor',
    'doctor',
  ])
})

test('a schema that cannot be served gets the error that docs/doctor.md shows', async () => {
  const [, wrong, error] = /^```prisma\n([^`]*)```\n\n```text\n([^`]*)```$/m.exec(pages.join('\n')) ?? []
  await project.write('wrong/schema.prisma', `datasource db {\n  provider = "sqlite"\n}\n${wrong}`)
  const { code, output } = await project.run(command, 'doctor', '--schema=wrong/schema.prisma')
  // Behind the tables, which are there all the same.
  const last = output.trimEnd().split('\n').at(-1)
  expect({ code, last }).toEqual({ code: 1, last: error?.trim().replace('prisma/', 'wrong/') })
})

test('the pages show nothing else', () => {
  const isAnswer = /^```(?:sh|text)(?! test=)/gm
  const wrong = 1
  expect(pages.join('\n').match(isAnswer)).toHaveLength(2 * shown.length + wrong)
})

test('prismapi openapi writes what the server has for anybody, without a database', async () => {
  const { info, paths, components } = JSON.parse(await project.read('openapi.json'))
  expect(info).toMatchObject({ title: 'A publishing site', version: 'v2' })
  expect(Object.keys(paths['/api/v2/users/{id}'])).toEqual(['parameters', 'get', 'patch', 'delete'])
  const { relationships } = components.schemas['posts.create'].properties.data.properties
  expect(Object.keys(relationships.properties)).toContain('author')
  const { attributes } = components.schemas['posts.resource'].properties
  expect(Object.keys(attributes.properties)).toContain('deletedAt')
  expect(await project.run(command, 'openapi', '--server=v3')).toEqual({
    code: 1,
    output: 'error There is no server "v3". Did you mean v1?\n',
  })
})

test('a resource file may lie where no package.json says what a module is', async () => {
  const own = 'prisma/generated/resources.ts'
  await project.write('old/package.json', '{}')
  await project.write('old/resources.ts', await project.read(own))
  expect(await project.run(command, 'diff', 'old/resources.ts', own)).toEqual({
    code: 0,
    output: `old/resources.ts → ${own}: nothing changed for clients\n`,
  })
})
