import type { CompiledServer } from '@prismapi/core/server/compile'
import { openApiPath } from '@prismapi/openapi/server-paths'
import {
  backMark,
  browsePath,
  createdMark,
  deleteMark,
  docsPath,
  doneMark,
  forMark,
  formMark,
  manyMark,
  newMark,
  rowMark,
} from '@prismapi/pages/data/page-request'
import { queryOf } from '@prismapi/testing/internal/kit/fuzz/arbitrary-query'
import type { FuzzedEndpoint } from '@prismapi/testing/internal/kit/fuzz/endpoints'
import type { TestRequest } from '@prismapi/testing/internal/send'
import fc, { type Arbitrary } from 'fast-check'

/** What browsers ask for. */
export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

/** What no page is to repeat as it is. */
export const markup = '"><img src=x onerror=alert(1)>'

const kinds = ['text', 'number', 'datetime', 'boolean', 'choice', 'relation']
const own = [
  ...['-show', '-field', '-kind', '-operator', '-join', '-value', '-value', '-include', '-sort', '-withCount', '-of'],
  ...[backMark, createdMark, deleteMark, doneMark, formMark, formMark, forMark, manyMark, newMark, rowMark, rowMark],
]

/** What a page itself may be asked for: names of what there is, or anything. */
function ownPairs({ schemas, basePath }: CompiledServer): Arbitrary<readonly (readonly [string, string])[]> {
  const all = [...schemas.byType.values()]
  const fields = all.flatMap(({ attributes, relations }) => [...attributes.keys(), ...relations.keys()])
  const types = all.map(({ type }) => type)
  const word = fc.constantFrom(
    ...fields,
    ...types,
    ...kinds,
    ...types.flatMap((type) => [`${type}/1`, `${type} 3`, `author:${type}:1`, `${basePath}/${type}`, `//${type}`]),
    ...fields.map((name) => `change ${name}`),
    ...['', '1', '2', 'document', 'delete', 'and', 'or', 'equals', 'contains', 'isNull:true', 'change', 'true'],
    ...[markup, '\u0000', '__proto__', 'javascript:alert(1)', '2024-01-01T00:00', '\\\\host', 'x'.repeat(500)],
  )
  const name = fc.oneof(fc.constantFrom(...own), fc.constantFrom(...types.map((type) => `-fields.${type}`)), word)
  const text = fc.string({ unit: 'binary', maxLength: 12 })
  const value = fc.oneof({ weight: 8, arbitrary: word }, { weight: 1, arbitrary: text })
  const pairs = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 4 })
  return fc.oneof(fc.constant([]), pairs)
}

/** Everything that is read, as its page, with what the page itself may be asked for. */
export function pageEndpoints(server: CompiledServer, reading: readonly FuzzedEndpoint[]): readonly FuzzedEndpoint[] {
  const pairs = ownPairs(server)
  const language = fc.constantFrom('de', 'fr', 'en', 'fr;q=0.2, de', '*', '')
  return reading.map(({ name, operation, requests }) => ({
    name,
    operation,
    requests: fc.tuple(requests, pairs, language).map(([request, own, language]) => ({
      method: request.method,
      path: withPairs(request.path, own),
      headers: { Accept: browserAccept, 'Accept-Language': language },
    })),
  }))
}

function withPairs(path: string, pairs: readonly (readonly [string, string])[]): string {
  const query = queryOf(pairs)
  return path + (path.includes('?') ? query.replace('?', '&') : query)
}

/** What describes a server: its OpenAPI documents, its reference, and the files of its pages. */
export function descriptionEndpoints({ basePath, schemas }: CompiledServer): readonly FuzzedEndpoint[] {
  const types = fc.constantFrom(...schemas.byType.keys(), 'nothing', '', markup, '__proto__')
  const query = fc.oneof(
    fc.constant(''),
    fc.array(types, { maxLength: 3 }).map((some) => queryOf([['types', some.join(',')]])),
    fc.tuple(fc.constantFrom('types', 'nothing', 'include'), types).map((pair) => queryOf([pair])),
  )
  const asset = fc.constantFrom(
    'browse.css',
    'browse.js',
    'icons.css',
    'own.css',
    'docs.js',
    'openapi-explorer.js',
    'x',
  )
  const odd = fc.constantFrom('..%2f..%2fpackage.json', '%00', '%', '__proto__', '.', '-', markup)
  const assets = (folder: string) =>
    fc.oneof(asset, odd.map(encodeURI)).map((name) => `${basePath}${folder}/assets/${name}`)
  const at = (path: string) => query.map((each) => `${basePath}${path}${each}`)
  const accept = ['application/json', '*/*', 'application/vnd.api+json', browserAccept, 'text/plain', '']
  const asked = (name: string, path: Arbitrary<string>): FuzzedEndpoint => ({
    name: `GET ${name}`,
    operation: null,
    requests: fc
      .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST'), path, fc.constantFrom(...accept))
      .map(([method, path, accept]): TestRequest => ({ method, path, headers: { Accept: accept } })),
  })
  return [
    asked(openApiPath, at(openApiPath)),
    asked(docsPath, at(docsPath)),
    asked(docsPath + openApiPath, at(docsPath + openApiPath)),
    asked(`${docsPath}/assets`, assets(docsPath)),
    asked(`${browsePath}/assets`, assets(browsePath)),
  ]
}
