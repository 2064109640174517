import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf, kindOf } from '../../scripts/prose/counts.ts'
import { read, root } from '../support/documentation/pages.ts'

/** Pages that are still to be written by the style guide: a page that is leaves this list. */
const toWrite: readonly string[] = []

const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => name.endsWith('.md') && !/^(\.vitepress|node_modules)\//.test(name))
  .map((name) => name.slice(0, -'.md'.length))
  .sort()

const found = pages.flatMap((page) => {
  const kind = kindOf(page)
  return kind === null ? [] : [{ page, faults: faultsOf(read(`docs/${page}.md`), kind) }]
})

describe('the prose of the documentation', () => {
  test('is written by the style guide: npm run prose -- <page> shows the counts', () => {
    const written = found.filter(({ page }) => !toWrite.includes(page))
    expect(written.filter(({ faults }) => faults.length > 0)).toEqual([])
  })

  test('is not listed as to be written where it is written', () => {
    const missing = found.filter(({ faults }) => faults.length > 0).map(({ page }) => page)
    expect(toWrite.filter((page) => !missing.includes(page))).toEqual([])
  })

  test('would be found out if it had no reader, no example, no box, and other words', () => {
    const page = '# Title\n\nThe server boots at once, and answers what it is told.\n\n```ts\nlet a = 1\n```\n'.concat(
      'A word. '.repeat(500),
    )
    expect(faultsOf(page.concat('What, what.'), 'guide')).toEqual([
      'you: 0 in 1013 words, at least 20',
      'examples: 0 in 1013 words, at least 2',
      'boxes: 0 in 1013 words, at least 2',
      'what: 3 in 1013 words, at most 1',
      '"answers": write response, return',
      '"boots": write startup',
      '"told": write return, report, state',
      'line 5: a block without the name of its file above it',
    ])
  })

  test('is not judged by its code, its tables and its links', () => {
    const page = [
      '`src/a.ts`:',
      '```ts',
      '// It tells what an instant is.',
      '```',
      '| what | boots |',
      'You see [it](limits.md#dear), `answer`, for example.',
    ].join('\n')
    expect(faultsOf(page, 'guide')).toEqual([])
  })
})
