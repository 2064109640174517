import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expectCreated, expectFetchedMany } from '@prismapi/testing'
import { expect, test } from 'vitest'
import { dataAnswer, errorAnswer, messageOf, post } from './answers.ts'

// The failures that docs/testing.md shows.

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/testing.md'), 'utf8')
const shown = [...page.matchAll(/^```text test=packages\/testing\/test\/page\.test\.ts\n([\s\S]*?)\n```$/gm)]

test('the failures on the page are those of the assertions', () => {
  const posts = dataAnswer([post('1'), post('2', { title: 'Two' })])
  const refused = errorAnswer(403, { status: '403', title: 'Forbidden', detail: 'Not yours.' })
  expect(shown.map(([, text]) => text)).toEqual([
    messageOf(() => expectFetchedMany(posts, [post('2', { title: 'Zwei' }), post('3')])),
    messageOf(() => expectCreated(refused, { type: 'posts' })),
  ])
})
