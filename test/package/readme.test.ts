import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    .sort(),
]

interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  /** A block that begins with "```ts file=path/of/a-file.ts" is a part of that file. */
  readonly file: string | undefined
  readonly code: string
}

function blocksOf(page: string): Block[] {
  const text = read(page)
  return [...text.matchAll(/^```(\w+)(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length + 1,
    language: match[1] as string,
    file: match[2],
    code: match[3] as string,
  }))
}

type Source = Pick<Block, 'page' | 'line' | 'code'>

const blocks = pages.flatMap(blocksOf)
const snippets = blocks.filter(({ language }) => language === 'ts')

describe('the TypeScript of the documentation', () => {
  const quotes = snippets.filter(({ file }) => file !== undefined)
  const own = snippets.filter(({ file }) => file === undefined)

  test.each(quotes.map(({ page, line, file = '', code }) => [`${page}:${line}`, file, code] as const))(
    '%s stands in %s',
    (_place, file, code) => {
      expect(existsSync(path.join(root, file))).toBe(true)
      expect(read(file)).toContain(code)
    },
  )

  test('compiles', () => {
    expect(own.length).toBeGreaterThan(3)
    expect(compile(own)).toEqual([])
  })

  test('would be found out if it did not compile', () => {
    const code = "import { Policy } from 'prismapi'\nexport const policy: string = Policy\n"
    expect(compile([{ page: 'README.md', line: 7, code }])).toEqual([
      expect.stringMatching(/^README\.md:8: error TS2322: /),
    ])
  })
})

describe('the commands of the documentation', () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts)

  test('are scripts of package.json', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map((match) => match[1] ?? match[2]),
    )
    expect(named).toContain('token')
    expect(named.filter((name) => !scripts.includes(name as string))).toEqual([])
  })

  test('begin with the two of the README', () => {
    const commands = blocksOf('README.md').filter(({ language }) => language === 'sh')
    expect(commands.map(({ code }) => code)).toEqual([
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

/** What tsc says of the sources, with places in the documentation. */
function compile(sources: readonly Source[]): string[] {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  try {
    for (const [i, { code }] of sources.entries()) writeFileSync(path.join(folder, `${i}.ts`), code)
    const files = sources.map((_, i) => `${i}.ts`)
    const registered = ['../../src/app/auth.ts', '../../prisma/generated/resources.ts']
    const config = { extends: '../../tsconfig.json', files: [...files, ...registered], include: [], exclude: [] }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
    return toPlaces(run('node_modules/.bin/tsc', ['-p', folder, '--pretty', 'false']), sources)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(command: string, args: readonly string[]): string {
  try {
    return execFileSync(path.join(root, command), args, { cwd: root, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const toPlaces = (output: string, sources: readonly Source[]): string[] =>
  [...output.matchAll(/^\S*\/(\d+)\.ts\((\d+),\d+\)(.*)$/gm)].map(([, index, line, message]) => {
    const { page, line: start } = sources[Number(index)] as Source
    return `${page}:${start + Number(line) - 1}${message}`
  })
