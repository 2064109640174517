import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { bytesSeal } from '@prismapi/jsonapi/pagination/bytes-seal'
import Koa from 'koa'
import { createApi } from 'prismapi'
import type { Feature } from 'prismapi/features'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveAgents } from '../../../packages/mcp/src/door.ts'
import { handOver } from '../../../packages/mcp/src/protocol.ts'
import { resources } from '../../../prisma/generated/resources.ts'
import { openTestDatabase } from '../../support/database.ts'
import { theExample } from '../../support/servers.ts'
import { conformanceServer } from './fixture.ts'

// The conformance suite of the protocol's vendor, for 2026-07-28: the example passes all scenarios that need no tool of
// their own, and the same door with the tools of the suite behind it passes all that are required.

const folder = import.meta.dirname
const suite = path.join(folder, '../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const patience = 240_000

const fixture: Feature = {
  serve: () => (server) => ({
    unrouted: serveAgents({
      options: {},
      limits: server.limits,
      seal: bytesSeal(null, 'fixture'),
      told: new WeakMap(),
      answer: async () => {
        const handler = toNodeHandler(createMcpHandler(conformanceServer, { legacy: 'stateless' }))
        return (call, body) => handOver(handler, call, body, {})
      },
    }),
  }),
}

/** The example at an address that its links begin with. */
function useExample(features?: readonly Feature[]) {
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  const http = createServer()
  let url = ''
  beforeAll(async () => {
    database = await openTestDatabase()
    await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve))
    const baseUrl = `http://localhost:${(http.address() as AddressInfo).port}`
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    const given = { resources, clients: database, baseUrl, logger, cursorSecret: 'a secret of the tests' }
    const api = createApi({ ...given, ...(await theExample()), ...(features && { features }) })
    http.on('request', new Koa().use(api.middleware()).use(api.notFound()).callback())
    url = `${baseUrl}/api/v2/-mcp`
  })
  afterAll(async () => {
    http.closeAllConnections()
    http.close()
    await database.close()
  })
  /** What the suite prints. */
  return async (...args: readonly string[]): Promise<string> => {
    const command = ['--import', path.join(folder, 'old-node.mjs'), suite, 'server', '--url', url, ...args]
    const run = promisify(execFile)(process.execPath, command, { maxBuffer: 2 ** 26 })
    // It ends with 1 where anything fails, also what it does not score.
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the suite prints in colours
    return stdout.replaceAll(/\u001b\[[0-9;]*m/g, '')
  }
}

describe('the example', () => {
  const run = useExample()

  test.each([
    'tools-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ])(
    'passes %s',
    async (scenario) => {
      const told = await run('--scenario', scenario, '--spec-version', '2026-07-28')
      expect(told).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
    },
    patience,
  )

  // The others ask for tools that the suite brings along, or for resources and prompts, which a data API has none of.
  test.each([
    ['server-stateless', ['test_missing_capability', 'test_streaming_elicitation', 'test_logging_tool']],
    ['caching', ['prompts/list', 'resources/list', 'resources/templates/list']],
  ])(
    'passes the checks of %s that need nothing of the suite',
    async (scenario, missing) => {
      const told = await run('--scenario', scenario, '--spec-version', '2026-07-28')
      const failed = told.split('=== Failed Checks ===')[1] ?? ''
      const faults = failed.split('\n').filter((line) => /^\s+Error: /.test(line))
      expect(faults.filter((line) => !missing.some((name) => line.includes(name)))).toEqual([])
    },
    patience,
  )
})

describe('the same door, with the tools of the suite behind it', () => {
  const run = useExample([fixture])

  test(
    'passes all scenarios that the revision requires',
    async () => {
      const told = await run('--requirements', '2026-07-28')
      const [required = ''] = told.split(/not.scored/i).slice(-2)
      const lines = [...told.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gm)]
      const failed = lines.filter(([, mark]) => mark === '✗').map(([, , name]) => name)
      // Extensions, and drafts that the suite's own server does not pass: they are not scored.
      const unscored = /^tasks-|^json-schema-2020-12$|^http-custom-header-server-validation$/
      expect(failed.filter((name) => !unscored.test(String(name)))).toEqual([])
      expect(lines.length, required).toBeGreaterThanOrEqual(37)
    },
    patience,
  )
})
