import { everybody } from '../../openapi/audience.ts'
import { documentParts } from '../../openapi/document.ts'
import { operationsPath } from '../../request/routes.ts'
import { isToMany, targetModels } from '../../schema/relation-kinds.ts'
import { schemaOf } from '../../schema/resource-schema.ts'
import type { CompiledServer } from '../../server/compile.ts'
import { fixedPart } from './fixed-part.ts'
import { modelTypes } from './model-types.ts'
import { type Mixed, pathText } from './path-types.ts'
import { relationTypes } from './relation-types.ts'

/** In: a compiled server, and the types that a client uses; null for all. Out: the client's file. */
export function clientFile(server: CompiledServer, types: ReadonlySet<string> | null): string {
  // Each parameter has a name of its own, however many there are: TypeScript asks it of the types below.
  const parts = documentParts(server, everybody(server), { types, isLarge: false })
  const mixed = mixedUrls(server)
  const urls = [...parts.paths()]
  const paths = urls.map((path) => pathText(path, mixed)).join('\n')
  const atomic = server.basePath + operationsPath
  const operations = urls.some(([url]) => url === atomic) ? atomic : null
  const { types: byType, shared, fields, given } = modelTypes(parts.components())
  const { includes, sorts, includeDepth, sortDepth } = relationTypes(server)
  const blocks = [
    interfaceText('What resources, bodies and queries have, by type.', 'Types', byType),
    interfaceText('The fields of each type that are shown.', 'Fields', fields),
    interfaceText('Where relations that may be included lead to.', 'Includes', includes),
    interfaceText('By what types are sorted, and which relations lead to more.', 'Sorts', sorts),
    interfaceText('What paths and headers have.', 'Given', given),
    interfaceText('What belongs to no type.', 'Shared', shared),
    interfaceText('Every URL, with its methods.', 'paths', paths),
  ]
  return `// \`npx prismapi client --server=${server.name}\` has written this, and writes it anew.
${fixedPart({ operations, includeDepth, sortDepth })}
${blocks.join('\n')}`
}

/** The related URLs whose primary data may be of several types. */
const mixedUrls = ({ schemas, basePath }: CompiledServer): Mixed =>
  new Map(
    [...schemas.byType.values()].flatMap(({ type, relations }) =>
      [...relations.values()]
        .filter((relation) => !isToMany(relation))
        .map((relation) => [
          `${basePath}/${type}/{id}/${relation.name}`,
          targetModels(relation).map((model) => schemaOf(schemas, model).type),
        ]),
    ),
  )

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
