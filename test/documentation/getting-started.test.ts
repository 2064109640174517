import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cloneProject } from '../support/clone.ts'
import { followGuide } from '../support/guide.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/getting-started.md'), 'utf8')

test('who follows docs/getting-started.md word by word sees what it shows', async () => {
  const folder = cloneProject()
  try {
    const answers = await followGuide(page, folder)
    expect(answers.length).toBeGreaterThan(15)
    expect(answers.map(({ line, seen }) => ({ line, answer: seen }))).toEqual(
      answers.map(({ line, shown }) => ({ line, answer: shown })),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
