import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { patience } from '../support/clone.ts'
import { fencesOf } from '../support/documentation/fences.ts'
import { root } from '../support/documentation/pages.ts'

// The first file of docs/testing-kit.md, as it stands but for its runner: node:test, in a process of its own.

const [first] = fencesOf('docs/testing-kit.md').filter(({ language }) => language === 'ts')
const runner = "import { afterAll, test } from 'vitest'"

interface Run {
  /** What is changed in the file beside its runner. */
  readonly spoil?: (code: string) => string
  readonly only: string
  readonly flags?: readonly string[]
}

async function run({ spoil = (code) => code, only, flags = [] }: Run): Promise<{ status: number; output: string }> {
  const code = (first?.code ?? '')
    .replace(runner, "import { after as afterAll, test } from 'node:test'")
    .replace('check.run, 60_000', '() => check.run()')
  // Below the package, which it names; a dot keeps other runners away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  const file = path.join(folder, 'kit.mts')
  writeFileSync(file, spoil(code))
  const args = [...flags, '--conditions=prismapi/source', '--import', 'tsx', `--test-name-pattern=${only}`, file]
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: root, timeout: patience }, (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), output: stdout + stderr }),
      )
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const countsOf = (output: string) => output.match(/(pass|fail) \d+$/gm)

test('the file of the documentation passes in node:test', async () => {
  expect(first?.code).toContain(runner)
  const { status, output } = await run({ only: 'v2 answers guest as' })
  expect({ status, counts: countsOf(output) }).toEqual({ status: 0, counts: ['pass 7', 'fail 0'] })
})

test('and says what is wrong, where the application spoils its answers', async () => {
  const spoil = (code: string) =>
    code.replace(
      /app: \(\) => (createApp\(.+\)),/,
      `app: async () => {
        const app = await $1
        app.middleware.unshift(async (ctx, next) => {
          await next()
          if (ctx.method === 'GET' && ctx.path === '/api/v1/tags/1') ctx.status = 202
        })
        return app
      },`,
    )
  const { status, output } = await run({ spoil, only: 'v1 answers guest as JSON:API says: tags' })
  expect({ status, counts: countsOf(output) }).toEqual({ status: 1, counts: ['pass 0', 'fail 1'] })
  expect(output).toContain('GET /api/v1/tags/1 as guest: the status is 202, not 200 or 401 or 403')
})

/** Without the package, as far as the process knows. */
const withoutFastCheck = `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`export async function resolve(name, context, next) {
  if (name === 'fast-check') throw Object.assign(new Error('Not here.'), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(name, context)
}\`))`

test('without fast-check there is conformance, and fuzz says what is missing', async () => {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(withoutFastCheck)}`]
  const { status, output } = await run({ only: 'v1 answers (guest as JSON:API says: tags|.+: pages)', flags })
  expect({ status, counts: countsOf(output) }).toEqual({ status: 1, counts: ['pass 1', 'fail 1'] })
  expect(output).toContain('fuzz(): fast-check is not installed. Run "npm install --save-dev fast-check".')
})
