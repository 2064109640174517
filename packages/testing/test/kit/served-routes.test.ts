import { openApiDocument } from '@prismapi/openapi/document'
import { expect, test } from 'vitest'
import { servers } from '../../../../test/support/example-servers.ts'
import { servedOf } from '../../src/kit/fuzz/served-routes.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete']

test.each(servers.map((server) => [server.name, server] as const))(
  'what %s is found to serve is what its OpenAPI document has',
  (_, server) => {
    const served = [...server.schemas.byType.values()].flatMap((schema) =>
      servedOf(server.schemas, schema).map(({ method, template }) => `${method} ${server.basePath}${template}`),
    )
    const { paths } = openApiDocument(server) as { paths: Record<string, object> }
    const told = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => methods.includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    const ofNoType = [server.basePath, `${server.basePath}/openapi.json`, `${server.basePath}/operations`]
    expect(served.toSorted()).toEqual(
      told.filter((each) => !ofNoType.includes(each.split(' ')[1] as string)).toSorted(),
    )
    expect(served).toContain(`POST ${server.basePath}/posts/{id}/-actions/publish`)
  },
)
