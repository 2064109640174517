const twin = Symbol('twin')

/** A client that is there once it is used. */
export interface LazyClient<Client> {
  readonly client: Client
  /** Null as long as no caller has used it. */
  made(): Client | null
}

/**
 * A client that is made for its first use: of a schema with 300 models, Prisma Client keeps 60 MiB, and as much again for its
 * first query. Its twin is there already, and made by the same function.
 */
export function lazyClient<Client extends object>(make: () => Client, like: Client): LazyClient<Client> {
  let made: Client | null = null
  const client = (): Client => {
    made ??= make()
    return made
  }
  const handler: ProxyHandler<Client> = {
    get: (_, name) => (name === twin && made === null ? like : Reflect.get(client(), name)),
    set: (_, name, value) => Reflect.set(client(), name, value),
    has: (_, name) => Reflect.has(client(), name),
  }
  return { client: new Proxy({} as Client, handler), made: () => made }
}

/** The client, or its twin where it is yet to be made. */
const likeOf = (client: object): object => (client as { readonly [twin]?: object })[twin] ?? client

/** Whether an extension stands around a client. Prisma takes `$on` from those. */
export const isExtended = (client: object): boolean =>
  typeof (likeOf(client) as { readonly $on?: unknown }).$on !== 'function'
