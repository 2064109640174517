import type { CompiledServer } from '@prismapi/core/server/compile'
import { type ReadableCollections, shownTo } from '@prismapi/testing/internal/kit/fuzz/shown'
import type { Asker } from '@prismapi/testing/internal/kit/tested'
import type { Answer, TestRequest } from '@prismapi/testing/internal/send'
import type { App } from '../app.ts'

/** What the collections of each server show to an administrator. */
export async function shownBy(
  app: Pick<App, 'bearer' | 'send'>,
  servers: readonly CompiledServer[],
): Promise<ReadonlyMap<CompiledServer, ReadableCollections>> {
  const own = await app.bearer(1)
  const ask = async (request: TestRequest): Promise<Answer> => {
    const { status, headers, text } = await app.send({ ...request, headers: own })
    return {
      request,
      status,
      headers: new Headers(headers as Record<string, string>),
      text,
      document: JSON.parse(text),
    }
  }
  const shown = new Map<CompiledServer, ReadableCollections>()
  for (const server of servers) {
    const asker: Asker = {
      ...{ server: { ...server, mayLack: () => false }, caller: 'admin', origin: null },
      ...{ isNamed: async () => true, ask },
    }
    shown.set(server, await shownTo([asker]))
  }
  return shown
}
