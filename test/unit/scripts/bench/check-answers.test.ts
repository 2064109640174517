import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkSameAnswers } from '../../../../scripts/bench/check-answers.ts'
import type { ServerProcess } from '../../../../scripts/bench/server-process.ts'
import type { Request, Workload } from '../../../../scripts/bench/workloads.ts'

async function serverThat(name: string, answer: RequestListener): Promise<ServerProcess> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return { name, port, usage: async () => ({ cpu: 0, memory: 0, queries: 0, fallbacks: {} }), stop }
}

const workload = (key: string, request: Request): Workload => ({
  key,
  name: key,
  isWrite: request.method !== 'GET',
  hasCursors: false,
  request: () => request,
})
const changes = workload('changes', { method: 'PATCH', path: '/posts/1', body: '{}' })
const reads = workload('reads', { method: 'GET', path: '/posts' })

/** A server whose post carries the time at which it was changed last. */
function stamping(second: number): RequestListener {
  let updatedAt = '2100-01-01T00:00:00.000Z'
  return (request, response) => {
    if (request.method === 'PATCH') updatedAt = `2100-01-01T00:00:0${second}.000Z`
    response.end(JSON.stringify({ data: [{ updatedAt }] }))
  }
}

test('servers that write at different times answer the same', async () => {
  const servers = [await serverThat('s0', stamping(1)), await serverThat('s1', stamping(2))]
  const queries = await checkSameAnswers(servers, [changes, reads], () => false)
  expect([...queries.keys()].sort()).toEqual(['changes', 'reads'])
})

test('a difference is told by the request and the place, and not by whole documents', async () => {
  const long = (end: string) => serverThat(`ends-${end}`, (_, response) => response.end(`${'a'.repeat(50_000)}${end}`))
  const checking = checkSameAnswers([await long('b'), await long('c')], [reads], () => false)
  const before = 'a'.repeat(80)
  await expect(checking).rejects.toThrow(
    new Error(
      `ends-c and ends-b differ: GET /posts\nat character 50000 of 50001 and 50001:\n"${before}c"\n"${before}b"`,
    ),
  )
})
