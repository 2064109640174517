import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prismapi } from '../support/prismapi-command.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prismapi-diff-'))
  for (const name of ['v1', 'v2']) await prismapi(['openapi', `--server=${name}`, `--out=${join(folder, name)}.json`])
})
afterAll(() => rmSync(folder, { recursive: true }))

const shownBy = (page: string): string | undefined =>
  /^```text test=\S+\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]

describe('two versions of the example', () => {
  test('differ as docs/diff.md shows', async () => {
    const { code, stdout, stderr } = await prismapi(['diff', 'v1.json', 'v2.json'], { cwd: folder })
    expect(stdout).toBe(shownBy('docs/diff.md'))
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error 23 changes break clients.\n' })
  })

  test('have nothing to tell of themselves', async () => {
    expect(await prismapi(['diff', 'v1.json', 'v1.json', '--json'], { cwd: folder })).toEqual({
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
  expect(await prismapi(['diff', own, own])).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout } = await prismapi(['diff', other, own, '--json'])
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
  const { checkDeprecation, endingOf } = await import('@prismapi/jsonapi/schema/deprecation')
  const { headersOf } = await import('prismapi/internal/deprecation/headers')
  const declared = { since: '2026-01-01', sunset: '2026-12-31', link: 'https://example.org/v2' }
  const deprecation = checkDeprecation('deprecated', declared)
  const ending = endingOf(deprecation ? [deprecation] : [])
  const lines =
    ending && Object.entries(headersOf(ending)).map(([name, value]) => `${name}: ${[value].flat().join(', ')}\n`)
  expect(lines?.join('')).toBe(shownBy('docs/deprecation.md'))
})
