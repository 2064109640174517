import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Api, api as clientOf } from '@prismapi/testing'
import type { PrismApi } from 'prismapi'
import type { FixtureProvider } from '../any-schema/fixtures.ts'
import { type OpenOptions, openStudios, type Studios } from './open.ts'
import { keys, seedStudios } from './seed.ts'

/** Who signs in: a name in `keys`. */
export type Who = keyof typeof keys

export interface ServedStudios {
  readonly studios: Studios
  readonly api: PrismApi
  readonly origin: string
  readonly desk: Api<Who>
  readonly site: Api<Who>
  close(): Promise<void>
}

export const signIn = (who: Who) => ({ Authorization: `Bearer ${keys[who]}` })

/** The application with its rows, at a port of its own. */
export async function serveStudios(provider: FixtureProvider, options: OpenOptions = {}): Promise<ServedStudios> {
  const studios = await openStudios(provider, options)
  await seedStudios(studios)
  const { app, api } = await studios.create()
  const server = createServer(app.callback())
  // A busy machine may let more time pass between two requests than a server waits for.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = (name: string) => clientOf<Who>(`${origin}/api/${name}`, { signIn })
  return {
    ...{ studios, api, origin, desk: at('desk'), site: at('site') },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await studios.close()
    },
  }
}
