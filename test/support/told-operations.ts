import { operationIdOf } from '@prismapi/cli/diff/described-api'

interface Paths {
  readonly paths: Readonly<Record<string, object>>
}

/** The operations of an OpenAPI document, as the server knows them: `posts.viewAny`, `posts.author.attach`. */
export const toldOperations = ({ paths }: Paths) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => ({
        path,
        method: method.toUpperCase(),
        id: operationIdOf(method, path.replace(/^\/api\/[^/]+/, '')),
      })),
  )
