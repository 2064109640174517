import type { CompiledServer } from '@prismapi/core/server/compile'
import { operationsPath } from '@prismapi/jsonapi/request/operation'
import { targetModels } from '@prismapi/jsonapi/schema/relation-kinds'
import { schemaOf } from '@prismapi/jsonapi/schema/resource-schema'
import { statsSegment } from '@prismapi/jsonapi/schema/statistics'
import { everybody } from '@prismapi/openapi/caller'
import { documentParts } from '@prismapi/openapi/document'
import { fixedPart } from './fixed-part.ts'
import { modelTypes } from './model-types.ts'
import { type Asked, pathText } from './path-types.ts'
import { relationTypes } from './relation-types.ts'

/** In: a compiled server, and the types that a client uses; null for all. Out: the client's file. */
export function clientFile(compiled: CompiledServer, types: ReadonlySet<string> | null): string {
  // A base path with parameters is a part of the client's baseUrl.
  const server = compiled.base.names.length > 0 ? { ...compiled, basePath: '' } : compiled
  const parts = documentParts(server, everybody(server), { types })
  const urls = [...parts.paths()]
  const components = parts.components()
  const asked = askedAt(server)
  const paths = urls.map((path) => pathText(path, { components, asked })).join('\n')
  const atomic = server.basePath + operationsPath
  const operations = urls.some(([url]) => url === atomic) ? atomic : null
  const used = new Set(urls.flatMap(([url]) => asked.get(url)?.types ?? []))
  const model = modelTypes(components, new Map([...used].map((type) => [type, parts.parametersOf(type)])))
  const { includes, sorts, includeDepth, sortDepth } = relationTypes(server)
  const takesQuery = server.features.openapi.some((part) => part.takesQuery)
  const blocks = [
    interfaceText('What resources, bodies and queries have, by type.', 'Types', model.types),
    interfaceText('The fields of each type that are shown.', 'Fields', model.fields),
    interfaceText('Where relations that may be included lead to.', 'Includes', includes),
    interfaceText('By what types are sorted, and which relations lead to more.', 'Sorts', sorts),
    interfaceText('What paths and headers have.', 'Given', model.given),
    interfaceText('What belongs to no type.', 'Shared', model.shared),
    interfaceText('Every URL, with its methods.', 'paths', paths),
  ]
  return `// \`npx prismapi client --server=${server.name}\` has written this, and writes it anew.
${fixedPart({ operations, takesQuery, includeDepth, sortDepth })}
${blocks.join('\n')}`
}

/** The types that are asked for, by URL. */
function askedAt({ schemas, basePath }: CompiledServer): ReadonlyMap<string, Asked> {
  const typesOf = (models: readonly string[]) => models.map((model) => schemaOf(schemas, model).type)
  const all = [...schemas.byType.values()].flatMap(({ type, relations, actions }) => {
    const base = `${basePath}/${type}`
    const own: Asked = { types: [type], linkage: null, isOfRelation: false }
    return [
      ...[base, `${base}/${statsSegment}`, `${base}/{id}`].map((url) => [url, own] as const),
      ...[...relations.values()].flatMap((relation) => {
        const types = typesOf(targetModels(relation))
        return [
          [`${base}/{id}/${relation.name}`, { types, linkage: null, isOfRelation: true }],
          [
            `${base}/{id}/relationships/${relation.name}`,
            { types, linkage: [type, relation.name], isOfRelation: true },
          ],
        ] as const
      }),
      ...[...actions.values()].map(({ name, on, answers }) => {
        const at = `${base}${on === 'member' ? '/{id}' : ''}/-actions/${name}`
        return [at, { types: typesOf([answers]), linkage: null, isOfRelation: false }] as const
      }),
    ]
  })
  return new Map(all)
}

function interfaceText(about: string, name: string, members: string): string {
  return `/** ${about} */\nexport interface ${name} {\n${indented(members)}}\n`
}

/** Lines that end with a bracket have those that follow deeper, up to the bracket that closes. */
function indented(text: string): string {
  let depth = 1
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('}')) depth--
      const out = line === '' ? '\n' : `${'  '.repeat(depth)}${line}\n`
      if (line.endsWith('{')) depth++
      return out
    })
    .join('')
}
