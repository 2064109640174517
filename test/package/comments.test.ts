import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow } from '../../scripts/packages/imports.ts'

const root = path.resolve(import.meta.dirname, '../..')
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\* )/.test(line)

const packages = readdirSync(path.join(root, 'packages'))

test.each(packages)('the lines of comments in packages/%s have 120 characters at most', (name) => {
  const lines = filesBelow(`packages/${name}/src`).flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .map((text, i) => ({ at: `${file}:${i + 1}`, text })),
  )
  const comments = lines.filter(({ text }) => isComment(text))
  // A package whose comments are not found would pass.
  expect(comments).not.toEqual([])
  expect(comments.filter(({ text }) => text.length > 120).map(({ at }) => at)).toEqual([])
})
