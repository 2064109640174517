import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const command = join(root, 'scripts/prismapi.mjs')
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prismapi-diff-'))
  for (const name of ['v1', 'v2'])
    await prismapi(root, 'openapi', `--server=${name}`, `--out=${join(folder, name)}.json`)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** `npx prismapi …` in a folder, as a user runs it. */
function prismapi(cwd: string, ...args: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NO_COLOR: '1' }
  const child = spawn(process.execPath, [command, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.on('close', (code) => done({ code, stdout, stderr })),
  )
}

const shownBy = (page: string): string | undefined =>
  /^```text test=\S+\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]

describe('two versions of the example', () => {
  test('differ as docs/diff.md shows', async () => {
    const { code, stdout, stderr } = await prismapi(folder, 'diff', 'v1.json', 'v2.json')
    expect(stdout).toBe(shownBy('docs/diff.md'))
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error 23 changes break clients.\n' })
  })

  test('have nothing to tell of themselves', async () => {
    expect(await prismapi(folder, 'diff', 'v1.json', 'v1.json', '--json')).toEqual({
      code: 0,
      stdout: '{\n  "changes": []\n}\n',
      stderr: '',
    })
  })
})

test('the resource file of the example is compared with another one, wherever that lies', async () => {
  const own = 'prisma/generated/resources.ts'
  const other = join(folder, 'before.ts')
  writeFileSync(other, readFileSync(join(root, own), 'utf8').replaceAll('synopsis', 'summary'))
  expect(await prismapi(root, 'diff', own, own)).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout } = await prismapi(root, 'diff', other, own, '--json')
  const changes = JSON.parse(stdout).changes.map(({ breaks, what, says }: Record<string, string>) => [
    breaks,
    what,
    says,
  ])
  expect({ code, changes }).toEqual({
    code: 1,
    changes: [
      [true, 'attribute summary', 'gone'],
      [false, 'attribute synopsis', 'new'],
    ],
  })
})

test('docs/deprecation.md shows the headers of its example', async () => {
  const { checkDeprecation, endingOf } = await import('../../src/schema/deprecation.ts')
  const { headersOf } = await import('../../src/deprecation/headers.ts')
  const declared = { since: '2026-01-01', sunset: '2026-12-31', link: 'https://example.org/v2' }
  const deprecation = checkDeprecation('deprecated', declared)
  const ending = endingOf(deprecation ? [deprecation] : [])
  const lines =
    ending && Object.entries(headersOf(ending)).map(([name, value]) => `${name}: ${[value].flat().join(', ')}\n`)
  expect(lines?.join('')).toBe(shownBy('docs/deprecation.md'))
})
