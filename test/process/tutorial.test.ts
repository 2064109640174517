import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { executable } from '../browser/chromium.ts'
import { tutorialPictures } from '../support/documentation/tutorial-pictures.ts'
import { followGuide } from '../support/guide.ts'
import { type NodeEnv, thisNode } from '../support/node-versions.ts'
import { packPackages } from '../support/packed.ts'
import { type Registry, serveRegistry } from '../support/registry.ts'

const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/tutorial.md'), 'utf8')
let registry: Registry | undefined
let folder: string
let env: NodeEnv
let browser: Browser | undefined

// It installs an application, and compiles it four times.
const timeout = 1_200_000

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-tutorial-'))
  registry = await serveRegistry((await packPackages()).packages)
  // npm asks before it runs a package for the first time.
  env = { ...(await thisNode(path.join(folder, 'node'))), ...registry.env, npm_config_yes: 'true' }
  const args = ['--no-sandbox', '--disable-gpu']
  if (executable) browser = await chromium.launch({ executablePath: executable, args })
})
afterAll(async () => {
  await browser?.close()
  await registry?.close()
  rmSync(folder, { recursive: true })
})

test(
  'who follows docs/tutorial.md word by word sees what it shows',
  async () => {
    const see = browser && tutorialPictures(browser)
    const answers = await followGuide(guide, folder, { env, timeout, ...(see && { see }) })
    expect(answers.map(({ line, seen }) => ({ line, answer: seen }))).toEqual(
      answers.map(({ line, shown }) => ({ line, answer: shown })),
    )
    expect(answers.length).toBeGreaterThan(4)
  },
  timeout,
)
