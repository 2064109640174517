import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { exampleWith, useServers } from '../support/servers.ts'

// What is kept by what clients send has an end in bytes, and not only in entries.

const api = useServers(() => exampleWith(V1))

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function heapMiB(): number {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const urls = 1200
/** The caches of the server together; without an end in bytes, 3,908 of such URLs left 131 MiB. */
const mostMiB = 12

test('different URLs of eight kilobytes leave little behind', { timeout: 120_000 }, async () => {
  const ask = api.as(null)
  const url = (n: number) => {
    const list = (from: number) => Array.from({ length: 480 }, (_, i) => 1_000_000 + n * 1000 + from + i).join()
    return `/api/v1/tags?filter[or][0][id]=${list(0)}&filter[or][1][id]=${list(500)}`
  }
  for (let n = 0; n < 50; n++) await ask('GET', url(n))
  const before = heapMiB()
  for (let n = 50; n < urls; n++) expect((await ask('GET', url(n))).status).toBe(200)
  const left = heapMiB() - before
  expect(left).toBeLessThan(mostMiB)
})
