import { existsSync } from 'node:fs'
import path from 'node:path'
import { applicationScripts } from '@prismapi/cli/init/new-application'
import { describe, expect, test } from 'vitest'
import { checkOf, fences, fencesThatAre, testOf } from '../support/documentation/checks.ts'
import { problemsOf } from '../support/documentation/commands.ts'
import { compile } from '../support/documentation/compile.ts'
import { type Fence, fencesOf, placeOf } from '../support/documentation/fences.ts'
import { pages, read, root } from '../support/documentation/pages.ts'
import { validate } from '../support/documentation/validate.ts'

const table = (shown: readonly Fence[]) => shown.map((fence) => [placeOf(fence), fence] as const)

describe('every snippet of the documentation', () => {
  const unchecked = (all: readonly Fence[]) =>
    all.filter((fence) => checkOf(fence) === null).map((fence) => `${placeOf(fence)}: nobody checks ${fence.language}`)

  test('is checked by somebody', () => {
    expect(unchecked(fences)).toEqual([])
  })

  test('would be found out if nobody checked it', () => {
    const fence: Fence = { page: 'docs/hooks.md', line: 7, language: 'yaml', says: {}, code: 'a: 1\n' }
    expect(unchecked([fence, { ...fence, language: '' }, { ...fence, language: 'text' }])).toEqual([
      'docs/hooks.md:7: nobody checks yaml',
      'docs/hooks.md:7: nobody checks ',
      'docs/hooks.md:7: nobody checks text',
    ])
  })

  test('that is left to a test of its own is left to one that reads its page', () => {
    const reads = (fence: Fence) => {
      const file = testOf(fence) as string
      if (!existsSync(path.join(root, file))) return false
      const page = path.basename(fence.page, '.md')
      // `expectTold` looks for a message on the page of what is told.
      return read(file).includes(page) || (page === 'troubleshooting' && read(file).includes('expectTold'))
    }
    const left = fencesThatAre('tested').filter((fence) => !reads(fence))
    expect(left.map((fence) => `${placeOf(fence)} → ${testOf(fence)}`)).toEqual([])
  })

  test('that is JSON is JSON', () => {
    for (const { code } of fences.filter(({ language }) => language === 'json')) JSON.parse(code)
  })

  test('that is CSV has a value for each column', () => {
    const values = (line: string) => line.replaceAll(/"[^"]*"/g, '').split(',').length
    const counts = fencesThatAre('counted').map(({ code }) => new Set(code.trimEnd().split('\n').map(values)).size)
    expect(counts).toEqual(counts.map(() => 1))
    expect(counts.length).toBeGreaterThan(0)
  })
})

describe('the TypeScript of the documentation', () => {
  // A part of a file may stand further to the right there.
  const plain = (code: string): string => code.replaceAll(/^ +/gm, '')

  test.each(table(fencesThatAre('quoted')))('%s stands in the file that it names', (_place, { says, code }) => {
    expect(plain(read(says.file as string))).toContain(plain(code))
  })

  test('compiles', () => {
    expect(fencesThatAre('compiled').length).toBeGreaterThan(3)
    expect(compile(fencesThatAre('compiled'))).toEqual([])
  })

  test('would be found out if it did not compile', () => {
    const code = "import { Policy } from 'prismapi'\nexport const policy: string = Policy\n"
    expect(compile([{ page: 'README.md', line: 7, code }])).toEqual([
      expect.stringMatching(/^README\.md:8: error TS2322: /),
    ])
  })
})

describe('the Prisma schemas of the documentation', () => {
  test('are schemas', async () => {
    expect(await Promise.all(fencesThatAre('validated').map(validate))).toEqual(
      fencesThatAre('validated').map((fence) => ({ place: placeOf(fence), errors: '' })),
    )
  })

  test('would be found out if they were not', async () => {
    const { errors } = await validate({ page: 'README.md', line: 7, code: 'model Post {\n  id Int @i\n}\n' })
    expect(errors).toContain('Attribute not known: "@i"')
  })
})

describe('the commands of the documentation', () => {
  test('are there', async () => {
    expect((await Promise.all(fencesThatAre('named').map(problemsOf))).flat()).toEqual([])
  })

  test.each([
    ['npm run nothing', 'there is no script nothing'],
    ['PORT=1 npm start && npm stop', 'there is no script stop'],
    ['npx prismapi polcy Post', 'There is no command "polcy". Did you mean "policy"?'],
    ['npx prismapi doctor --sever=v1', "Unknown option '--sever'"],
    ['npx nothing', 'there is no program nothing'],
    ['npx vitest run test/nothing', 'there is no test/nothing'],
    ['npm install nothing', 'package.json has no nothing'],
    ['npm install prisma@1.0.0', 'package.json has no prisma@1.0.0'],
    ['nothing --at all', 'nobody knows nothing'],
  ])('would be found out if they were not: %s', async (code, problem) => {
    expect(await problemsOf({ page: 'README.md', line: 7, code: `${code}\n` })).toEqual([
      expect.stringContaining(`README.md:7: ${problem}`),
    ])
  })

  test('are scripts of package.json, or of an application that init writes, where the text names them', () => {
    const scripts = [...Object.keys(JSON.parse(read('package.json')).scripts), ...applicationScripts]
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map((match) => match[1] ?? match[2]),
    )
    expect(named).toEqual(expect.arrayContaining(['token', 'client']))
    expect(named.filter((name) => !scripts.includes(name as string))).toEqual([])
  })

  test('begin with those of who wants to use it, and then with the two of the repository', () => {
    const commandsOf = (page: string) =>
      fencesOf(page).flatMap(({ language, code }) => (language === 'sh' ? [code] : []))
    const [toUse, ofRepository] = [commandsOf('README.md').slice(0, 3), commandsOf('README.md').slice(3)]
    // What `test/process/install.test.ts` follows.
    expect(toUse).toEqual(commandsOf('docs/start.md').slice(0, 3))
    expect(ofRepository).toEqual([
      'npm ci && npx prisma generate && npm start\n',
      expect.stringMatching(/^curl -g 'http:/),
      'npm test\n',
      'npm run token -- member3@example.com\n',
    ])
  })
})

describe('the links of the documentation', () => {
  test('lead to files that are there', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => ({ page, to: match[1] as string })),
    )
    const dead = links.filter(({ page, to }) => !existsSync(path.join(root, path.dirname(page), to)))
    expect(dead.map(({ page, to }) => `${page} → ${to}`)).toEqual([])
  })
})
