import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from '@prismapi/cli/run'
import { describe, expect, onTestFinished, test } from 'vitest'

const server = `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  models = ['Post']
  authorizable() { return false }
}`

const schema = `datasource db {
  provider = "sqlite"
}
model Post {
  id Int @id
  title String
}`

/** Runs the command line in an application with this `src/app/features.js`. */
function application(features: string | null) {
  // Inside of the package, or its files could not import it.
  const root = mkdtempSync(path.join(import.meta.dirname, '../.tmp-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files = { 'src/app/v1/server.ts': server, 'prisma/schema.prisma': schema }
  for (const [file, text] of Object.entries({
    ...files,
    ...(features !== null && { 'src/app/features.js': features }),
  })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return async (...argv: readonly string[]) => {
    const [said, complained]: [string[], string[]] = [[], []]
    const status = await run(argv, root, {
      say: (line) => void said.push(line),
      complain: (line) => void complained.push(line),
      paint: (_colour, text) => text,
    })
    return { status, said: said.join('\n'), complained: complained.join('\n') }
  }
}

const hello = `const hello = {
  usage: 'hello [<name>] [--loud]',
  summary: 'Greets.',
  options: { loud: { type: 'boolean', about: 'With a mark.' } },
  run: ({ positionals: [name = 'world'], values, root }, { say }) => say('Hello ' + name + (values.loud ? '!' : '.')),
}
`
const withHello = `${hello}export default [{}, { commands: { hello: () => hello } }]`

describe('a command of a feature of src/app/features', () => {
  test('runs with its arguments and options', async () => {
    const prismapi = application(withHello)
    expect(await prismapi('hello')).toEqual({ status: 0, said: 'Hello world.', complained: '' })
    expect(await prismapi('hello', 'Ada', '--loud')).toEqual({ status: 0, said: 'Hello Ada!', complained: '' })
    expect(await prismapi('hello', '--quiet')).toMatchObject({
      status: 1,
      complained: expect.stringMatching(/Unknown option '--quiet'[\s\S]*Usage: prismapi hello/),
    })
  })

  test('has help, alone and among the others', async () => {
    const prismapi = application(withHello)
    expect((await prismapi('hello', '--help')).said).toBe(
      'prismapi hello [<name>] [--loud]\n  Greets.\n\n  --loud  With a mark.',
    )
    const { status, said } = await prismapi('--help')
    expect(status).toBe(0)
    expect(said).toMatch(/npx prismapi doctor[\s\S]*\n\nCommands of src\/app\/features\n {2}hello {2}Greets\.$/)
    expect((await application(null)('--help')).said).not.toContain('features')
  })

  test('is meant by a name that is nearly its own', async () => {
    const prismapi = application(withHello)
    expect(await prismapi('helo')).toEqual({
      status: 1,
      said: '',
      complained: 'error There is no command "helo". Did you mean "hello"?',
    })
    expect((await application(null)('hello')).complained).toBe(
      'error There is no command "hello". See prismapi --help.',
    )
  })

  test.each([
    [
      'is there already',
      `${hello}export default [{ commands: { doctor: () => hello } }]`,
      'src/app/features.js: the command doctor of a feature is there already. Give it another name.',
    ],
    [
      'stands twice',
      `${hello}const one = { commands: { hello: () => hello } }\nexport default [one, one]`,
      'src/app/features.js: the command hello of a feature is there already. Give it another name.',
    ],
    [
      'stands in no list',
      `${hello}export const feature = { commands: { hello: () => hello } }`,
      'src/app/features.js: it has no list of features as its default export. Write "export default [feature]".',
    ],
    ['stands in a file that fails', 'throw new Error("No.")', 'src/app/features.js cannot be read: No.'],
  ])('that %s is refused in one line', async (_, features, message) => {
    expect(await application(features)('hello')).toEqual({ status: 1, said: '', complained: `error ${message}` })
  })
})

test('the OpenAPI document of the command line has what features of the application add', async () => {
  const features = `import { FeatureKey } from '@prismapi/jsonapi/request/features'
export default [{ compiled: {
  key: new FeatureKey('greeting'),
  compile: () => true,
  parameters: () => [{ name: 'timeZone', parse: () => null, openapi: { schema: { type: 'string' } } }],
} }]`
  const { status, said, complained } = await application(features)('openapi')
  expect({ status, complained }).toEqual({ status: 0, complained: '' })
  expect(JSON.parse(said).components.parameters.timeZone).toEqual({
    name: 'timeZone',
    in: 'query',
    schema: { type: 'string' },
  })
})
