import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fencesOf } from '../../support/documentation/fences.ts'
import { root } from '../../support/documentation/pages.ts'

// The vitest.config.ts of docs/testing.md: tests and servers have each module of an application once.

const isConfig = ({ code }: { readonly code: string }) => code.includes('defineConfig')
const told = fencesOf('docs/testing.md').find(isConfig)?.code ?? ''
// As Node takes TypeScript past vitest.
const alone = told.replace(/test: \{.*\}/, "test: { execArgv: ['--import', 'tsx', '--conditions=prismapi/source'] } }")

/** The packages are taken from their sources, whether or not they are built. */
const ofSources = (config: string) => {
  const resolve = "{ resolve: { conditions: ['prismapi/source'], externalConditions: ['prismapi/source'] } }"
  return config.replace('defineConfig({', `defineConfig({ ssr: ${resolve}, environments: { __vitest__: ${resolve} },`)
}

const files = {
  'package.json': '{ "type": "module" }',
  'node_modules/prismapi/package.json': '{ "name": "prismapi", "type": "module", "exports": "./index.js" }',
  'node_modules/prismapi/index.js': "export * from '@prismapi/core/server/discover'",
  'node_modules/@prismapi/core/package.json':
    '{ "name": "@prismapi/core", "type": "module", "exports": { "./*": "./dist/*.js" } }',
  'node_modules/@prismapi/core/dist/server/discover.js': `export * from ${JSON.stringify(path.join(root, 'packages/core/src/server/discover.ts'))}`,
  'mail.ts': 'export const send = (text: string): string => text',
  'kept.ts': 'export const kept: { asked: string[] } = { asked: [] }',
  'policies/post.policy.ts': `import { kept } from '../kept.ts'
import { send } from '../mail.ts'

export default class PostPolicy {
  private readonly name: string = 'Post'
  abilities() {
    kept.asked.push(send(this.name))
  }
}
`,
  'post.test.ts': `import { discover } from 'prismapi'
import { expect, test, vi } from 'vitest'
import { kept } from './kept.ts'
import PostPolicy from './policies/post.policy.ts'

vi.mock('./mail.ts', () => ({ send: (text) => text + ' by no mail' }))

test('a policy is found', async () => {
  const { policies } = await discover({ root: import.meta.dirname, resources: { models: { Post: {} } } })
  expect(policies.get('Post')).toBe(PostPolicy)
  new (policies.get('Post'))().abilities()
  expect(kept.asked).toEqual(['Post by no mail'])
})
`,
}

/** What vitest says of the project with a configuration. */
async function runWith(config: string): Promise<object> {
  // Below the package, which has vitest and tsx; a dot keeps other runners away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  try {
    for (const [name, text] of Object.entries({ ...files, 'vitest.config.ts': ofSources(config) })) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
    const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--root', folder]
    const { NODE_OPTIONS: _, ...env } = process.env
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) => resolve(stdout || stderr))
    })
    return JSON.parse(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('has policies and tests share their modules, and mocks reach both', async () => {
  expect(await runWith(told)).toMatchObject({ success: true, numPassedTests: 1, numTotalTests: 1 })
})

test('without it, discover names the cure', async () => {
  const cure = String.raw`Write test: { server: { deps: { inline: [/node_modules\/@?prismapi\//] } } } in vitest.config.ts.`
  expect(await runWith(alone)).toMatchObject({
    success: false,
    testResults: [{ assertionResults: [{ failureMessages: [expect.stringContaining(cure)] }] }],
  })
})
