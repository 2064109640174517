import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fencesOf } from '../../support/documentation/fences.ts'
import { root } from '../../support/documentation/pages.ts'

// The vitest.config.ts of docs/testing.md: a package imports a file in TypeScript past vitest, as `discover` does.

const isConfig = ({ code }: { readonly code: string }) => code.includes('defineConfig')

const files = {
  'package.json': '{ "type": "module" }',
  'vitest.config.ts': fencesOf('docs/testing.md').find(isConfig)?.code ?? '',
  'node_modules/discovering/package.json': '{ "name": "discovering", "type": "module", "exports": "./index.js" }',
  'node_modules/discovering/index.js': 'export const discover = (url) => import(url)',
  'post.policy.ts': 'export default class PostPolicy { private readonly actions: string[] = [] }',
  'post.test.ts': `import { discover } from 'discovering'
import { expect, test } from 'vitest'

test('a policy is found', async () => {
  const { default: policy } = await discover(new URL('post.policy.ts', import.meta.url).href)
  expect(policy.name).toBe('PostPolicy')
})
`,
}

test('lets Node take policies in TypeScript', async () => {
  // Below the package, which has vitest and tsx; a dot keeps other runners away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
    const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', '--root', folder]
    const { NODE_OPTIONS: _, ...env } = process.env
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env }, (_error, stdout, stderr) => resolve(stdout || stderr))
    })
    expect(JSON.parse(output)).toMatchObject({ success: true, numPassedTests: 1, numTotalTests: 1 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
