import type { Where } from '@prismapi/jsonapi/model/where'

/** What may be seen of each model, for `scopedClient`. Models without a scope are absent. */
export type Scopes = ReadonlyMap<string, Where>

/** Operations of Prisma Client that take a `where`, and so can be narrowed. */
const narrowedOperations = new Set([
  'findMany',
  'findFirst',
  'findFirstOrThrow',
  'findUnique',
  'findUniqueOrThrow',
  'count',
  'aggregate',
  'groupBy',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'delete',
  'deleteMany',
])

/**
 * A Prisma client, as far as it is extended.
 *
 * @internal
 */
interface Extendable {
  $extends(extension: object): unknown
}

/**
 * Scopes for the application's own queries, such as those that its `serving` registers: a client whose top-level
 * operations see no hidden row. Prisma does not call extensions for includes, relation filters, nested writes, `upsert`
 * and raw SQL: narrow those by hand.
 *
 * @example
 * import type { PrismaClient } from '../../prisma/generated/client/client.ts'
 *
 * declare const prisma: PrismaClient
 *
 * const visible = scopedClient(prisma, new Map([['Post', { deletedAt: null }]]))
 * const total = await visible.post.count()
 */
export function scopedClient<Client extends Extendable>(client: Client, scopes: Scopes): Client {
  return client.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }: ExtendedCall) => {
          const scope = scopes.get(model)
          if (!narrowedOperations.has(operation) || !scope) return query(args)
          const { AND = [], ...where } = (args?.where ?? {}) as { AND?: Where | Where[] }
          return query({ ...args, where: { ...where, AND: [AND, scope].flat() } })
        },
      },
    },
  }) as Client
}

interface ExtendedCall {
  readonly model: string
  readonly operation: string
  readonly args: { readonly where?: Where } | undefined
  query(args: unknown): Promise<unknown>
}
